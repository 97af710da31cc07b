import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chartFileName, openChartStore } from './chart-store.js';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'charts-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

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
  const store = openChartStore(join(root, 'charts'));
  expect(await store.read('localhost:3000-alice')).toBeNull();
  expect(await store.write('localhost:3000-alice', Buffer.from('old'))).toBe(
    'localhost:3000-alice.png',
  );
  await store.write('localhost:3000-alice', Buffer.from('new'));
  expect((await store.read('localhost:3000-alice'))?.png.toString()).toBe('new');
  expect(await store.read('localhost:3000-bob')).toBeNull();
});

test('a hostile pod_id stays in the folder', async () => {
  const store = openChartStore(join(root, 'charts'));
  await store.write('../escaped', Buffer.from('png'));
  expect(await readdir(root)).toEqual(['charts']);
  expect((await store.read('../escaped'))?.png.toString()).toBe('png');
});
