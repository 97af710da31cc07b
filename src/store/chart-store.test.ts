import { readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { samplePicture } from '../../test/support/chart-sample.js';
import { folderForEach } from '../../test/support/temp-folder.js';
import { chartFileName, openChartStore } from './chart-store.js';

const root = folderForEach();

const folders = () => ({ charts_dir: join(root(), 'charts') });

test.each([
  ['pods.example.org-alice', 'pods.example.org-alice.png'],
  ['localhost:3000-alice', 'localhost:3000-alice.png'],
  ['pods.example.org-caf%C3%A9', 'pods.example.org-caf%C3%A9.png'],
  ['localhost-alice', 'localhost-alice.png'],
  ['anna.localhost:3000', 'anna.localhost:3000.png'],
  ['192.168.1.5-alice', '192.168.1.5-alice.png'],
])('the chart of %s is %s', (podId, name) => {
  expect(chartFileName(podId)).toBe(name);
});

test.each([
  '',
  '.',
  '..',
  '../../etc/passwd',
  'a/b',
  'a\\b',
  'a\0b',
  'a\nb',
  '.hidden',
  'é',
  `localhost-${'x'.repeat(200)}`,
  'localhost-a\n',
  // Other pictures could have such a name.
  'pods-alice',
  'anna.pods.example',
])('[T22] the pod_id %j becomes a digest', (podId) => {
  expect(chartFileName(podId)).toMatch(/^[0-9a-f]{64}\.png$/);
});

test('a chart is found again, and a newer one replaces it', async () => {
  const store = openChartStore(folders());
  expect(await store.read('localhost:3000-alice')).toBeNull();
  expect(await store.write('localhost:3000-alice', samplePicture('old'))).toBe(
    'localhost:3000-alice.png',
  );
  await store.write('localhost:3000-alice', samplePicture('new'));
  expect(await store.read('localhost:3000-alice')).toEqual(samplePicture('new'));
  expect(await store.read('localhost:3000-bob')).toBeNull();
  expect(await store.has('localhost:3000-alice')).toBe(true);
});

test('[T22] a hostile pod_id stays in the folder', async () => {
  const store = openChartStore(folders());
  await store.write('../escaped', samplePicture());
  expect(await readdir(root())).toEqual(['charts']);
  expect(await store.read('../escaped')).toEqual(samplePicture());
});

test('[T23] a link in the place of a chart is none, even if it leads to one', async () => {
  const store = openChartStore(folders());
  await store.write('a.example-alice', samplePicture());
  await symlink('a.example-alice.png', join(root(), 'charts/a.example-bob.png'));
  expect(await store.read('a.example-bob')).toBeNull();
});

test('[T39] a picture is not for everybody', async () => {
  await openChartStore(folders()).write('a.example-bob', samplePicture());
  expect((await stat(join(root(), 'charts/a.example-bob.png'))).mode & 0o007).toBe(0);
});

test('[8.3] a chart is removed by its name, whatever its file holds, and it is told whether there was one', async () => {
  const store = openChartStore(folders());
  await store.write('a.example-bob', samplePicture());
  await writeFile(join(root(), 'charts/a.example-bob.png'), 'cut short');
  expect(await store.has('a.example-bob')).toBe(false);
  expect(await store.remove('a.example-bob')).toBe(true);
  expect(await readdir(join(root(), 'charts'))).toEqual([]);
  expect(await store.remove('a.example-bob')).toBe(false);
});

test('[5.11] of the charts only those stay that are to stay, and what is no chart', async () => {
  const store = openChartStore(folders());
  for (const podId of ['a.example-alice', 'b.example-bob', 'pods-carol', 'anna.localhost:3000']) {
    await store.write(podId, samplePicture());
  }
  const digest = '0'.repeat(64);
  const others = ['apple-touch-icon.png', 'b.example-bob.json', 'pods.example.org.png', '.a-b.png'];
  others.push(`${digest}0.png`, `x${digest}.png`, 'b.example-bob.png.old');
  for (const name of others) await writeFile(join(root(), 'charts', name), '');
  await store.keepOnly(['a.example-alice', 'pods-dora']);
  expect((await readdir(join(root(), 'charts'))).sort()).toEqual(
    ['a.example-alice.png', ...others].sort(),
  );
});
