import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleChart, samplePicture } from '../../test/support/chart-sample.js';
import { chartFileName, openChartStore } from './chart-store.js';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'charts-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const folders = () => ({ charts_dir: join(root, 'charts'), state_dir: join(root, 'state') });

test.each([
  ['pods.example.org-alice', 'pods.example.org-alice.png'],
  ['localhost:3000-alice', 'localhost:3000-alice.png'],
  ['pods.example.org-caf%C3%A9', 'pods.example.org-caf%C3%A9.png'],
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
  'x'.repeat(201),
])('the pod_id %j becomes a digest', (podId) => {
  expect(chartFileName(podId)).toMatch(/^[0-9a-f]{64}\.png$/);
});

test('a chart is found again, and a newer one replaces it', async () => {
  const store = openChartStore(folders());
  expect(await store.read('localhost:3000-alice')).toBeNull();
  expect(await store.write('localhost:3000-alice', samplePicture('old'), sampleChart(1))).toBe(
    'localhost:3000-alice.png',
  );
  await store.write('localhost:3000-alice', samplePicture('new'), sampleChart(2));
  expect(await store.read('localhost:3000-alice')).toEqual(samplePicture('new'));
  expect(await store.read('localhost:3000-bob')).toBeNull();
});

test('a hostile pod_id stays in the folder', async () => {
  const store = openChartStore(folders());
  await store.write('../escaped', samplePicture(), sampleChart(1));
  expect((await readdir(root)).sort()).toEqual(['charts', 'state']);
  expect(await readdir(join(root, 'state'))).toEqual(['charts']);
  expect(await store.read('../escaped')).toEqual(samplePicture());
});

test('neither the picture nor its figures are for everybody', async () => {
  await openChartStore(folders()).write('a.example-bob', samplePicture(), sampleChart(1));
  for (const name of ['charts/a.example-bob.png', 'state/charts/a.example-bob.json']) {
    expect((await stat(join(root, name))).mode & 0o007, name).toBe(0);
  }
});
