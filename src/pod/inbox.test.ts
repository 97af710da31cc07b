import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPrivatePem, openValue, sealValue } from './crypto/rsa.js';
import { EntryOpener } from './inbox.js';

const privateKey = createPrivateKey(await createPrivatePem());
const publicKey = createPublicKey(privateKey);
const seal = (text: string) => sealValue(text, publicKey) ?? '';
const texts = Array.from({ length: 100 }, (_, index) => `value ${index}`);
const sealed = texts.map(seal);

/** Counts what it opens. */
function createOpener() {
  const counted = { opened: 0 };
  const opener = new EntryOpener(privateKey, (...given) => {
    counted.opened += 1;
    return openValue(...given);
  });
  return { opener, counted };
}

test('answers come in order, with null for what does not open, and everything is opened once', async () => {
  const { opener, counted } = createOpener();
  // As long as the others.
  const values = sealed.with(1, 'A'.repeat(344));
  const expected = texts.map((text) => Buffer.from(text));
  for (let time = 0; time < 2; time += 1) {
    expect(await opener.open(values)).toEqual(expected.map((one, at) => (at === 1 ? null : one)));
  }
  expect(counted.opened).toBe(100);
});

test('[2.2] a run that breaks off stops with the reason, and what it opened is not opened again', async () => {
  const { opener, counted } = createOpener();
  const stop = new AbortController();
  const reason = new Error('stopped');
  const opening = opener.open(sealed, stop.signal);
  setImmediate(() => setImmediate(() => stop.abort(reason)));
  await expect(opening).rejects.toBe(reason);
  expect(counted.opened).toBeGreaterThan(0);
  expect(counted.opened).toBeLessThan(100);
  await opener.open(sealed);
  expect(counted.opened).toBe(100);
});

test('[T21] what is not as long as the key makes values is not tried', async () => {
  const { opener, counted } = createOpener();
  const [value = ''] = sealed;
  const others = [160, 340, 348, 512, 8192].map((length) => 'A'.repeat(length));
  expect(await opener.open([...others, ` ${value}\n`])).toEqual([
    ...others.map(() => null),
    Buffer.from('value 0'),
  ]);
  expect(counted.opened).toBe(1);
});

test('[2.2] values that were opened before a reading was cut are remembered, however many the inbox held before', async () => {
  let opened = 0;
  const opener = new EntryOpener(privateKey, () => {
    opened += 1;
    return null;
  });
  const values = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index}`.padEnd(344, 'A'));
  await opener.open(values('stale', 300_000));
  opener.endReading(false);
  for (let time = 0; time < 3; time += 1) {
    await opener.open(values('new', 1_000));
    opener.endReading(false);
  }
  expect(opened).toBe(301_000);
  await opener.open(values('stale', 299_000));
  expect(opened).toBe(301_000);
  // An inbox that was read whole is all that is remembered.
  opener.endReading(true);
  await opener.open(values('new', 1_000));
  expect(opened).toBe(302_000);
});
