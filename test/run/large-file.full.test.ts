import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { writeEncryptedResources } from '../../src/pod/formats/encrypted-resource.js';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import { readShares } from '../../src/run/read/read-shares.js';
import { putDocument } from '../../src/solid/documents.js';
import { allowReading } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { outcomesOf, ownerOf, readTask, share, tableOf } from '../support/readings-of.js';
import { sharedSolidServer } from '../support/solid-server.js';

/** Beside what test/run/reading.test.ts reads; megabytes keep the storage server busy. */
test('a file above 4 MB does not count, and its owner is told', async () => {
  const server = sharedSolidServer();
  const [analyser, alice] = await Promise.all([
    createInitialisedPod(server),
    createInitialisedPod(server),
  ]);
  const at = (name: string) => `${alice.pod.documents.app}data/size/${name}`;
  const most = 4 * 1024 * 1024;
  const rows = (length: number) => '{"systolic":120,"diastolic":80}'.padEnd(length, '\n');
  const encrypted = Object.entries({
    'sealed.enc.ttl': 2 * most,
    'fits.enc.ttl': most - 1,
    'large.enc.ttl': most + 1,
  }).map(([name, length]) => ({ url: at(name), content: rows(length) }));
  await writeEncryptedResources(alice.client, alice.pod, encrypted);
  const plain = { contentType: 'application/json' };
  await putDocument(alice.client, at('fits-plain.enc.ttl'), rows(most), plain);
  await putDocument(alice.client, at('large-plain.enc.ttl'), rows(most + 1), plain);
  const urls = [
    ...encrypted.map(({ url }) => url),
    at('fits-plain.enc.ttl'),
    at('large-plain.enc.ttl'),
  ];
  for (const url of urls) await allowReading(alice, analyser, url);
  const found = await findResourceKeys(alice.client, alice.pod, urls.slice(0, 3));
  const keys = [at('fits.enc.ttl'), at('large.enc.ttl')].map(
    (url) => found.get(url) ?? randomBytes(32),
  );

  const shares = urls.map((url) => share(url, { keys }));
  const [reading] = await readShares(analyser, [tableOf(ownerOf(alice), shares)], readTask());
  if (reading === undefined) throw new Error('There is one.');
  expect(outcomesOf(reading)).toEqual({
    'sealed.enc.ttl': 'too large',
    'fits.enc.ttl': { key: keys[0] },
    'large.enc.ttl': 'too large',
    'fits-plain.enc.ttl': { key: null },
    'large-plain.enc.ttl': 'too large',
  });
  const said = 'it is larger than 4 MB: split it into smaller files (file skipped)';
  expect(reading.warnings).toEqual(
    ['large-plain.enc.ttl', 'large.enc.ttl', 'sealed.enc.ttl'].map(
      (name) => `${at(name)}: ${said}`,
    ),
  );
});
