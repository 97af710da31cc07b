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
  const opener = new EntryOpener((value) => {
    counted.opened += 1;
    return openValue(value, privateKey);
  });
  return { opener, counted };
}

test('answers come in order, with null for what does not open, and everything is opened once', async () => {
  const { opener, counted } = createOpener();
  const values = sealed.with(1, 'broken');
  const expected = texts.map((text) => Buffer.from(text));
  for (let time = 0; time < 2; time += 1) {
    expect(await opener.open(values)).toEqual(expected.map((one, at) => (at === 1 ? null : one)));
  }
  expect(counted.opened).toBe(100);
});

test('a run that breaks off stops with the reason, and what it opened is not opened again', async () => {
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
