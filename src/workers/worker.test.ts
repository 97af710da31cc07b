import { expect, test } from 'vitest';
import { analyser, fileIn, podAt } from '../../test/support/scripted-reading.js';
import type { SolidClient } from '../solid/solid-client.js';
import type { Part } from './parts-queue.js';
import { createPartReader } from './worker.js';

const { signal: never } = new AbortController();
const scale = { requests_per_worker: 8, max_requests: 0, redis_url: '' };
const now = Date.UTC(2026, 0, 31);
const root = 'https://home.example/anna/';
const { owner } = podAt(root, {});
const body = '{"timestamp":"2026-01-01T08:00:00Z","responses":{"systolic":120,"diastolic":80}}';

const headers = { 'wac-allow': 'user="read",public=""' };

/** A login of a worker; tells how often its keys were looked at anew. */
function login() {
  const made = { renewals: 0 };
  const client: SolidClient = {
    request: (url) => Promise.resolve({ url, status: 200, headers, body: Buffer.from(body) }),
    close: () => Promise.resolve(),
  };
  const renew = () => {
    made.renewals += 1;
    return Promise.resolve();
  };
  return Object.assign(made, { client, pod: analyser, renew });
}

/** One file, of the first of January. */
function part(workId: string, windowDays: number | null): Part {
  const how = { isNamed: true, isKnown: true, isServed: false, folder: null, keys: [] };
  const file = { url: fileIn(root, workId), owner, ...how };
  const rules = { now, windowDays, period: null };
  return { workId, task: { rules, files: [file], forMs: 60_000, patienceMs: undefined } };
}

/** How many readings of each part count. */
async function counted(
  read: ReturnType<typeof createPartReader>,
  connection: ReturnType<typeof login>,
  ...parts: Part[]
) {
  const counts: unknown[] = [];
  for (const one of parts) {
    const [outcome] = await read(connection, one, never);
    counts.push(outcome?.kind === 'read' ? outcome.sums.count : outcome);
  }
  return counts;
}

test('[4.15] the parts of each piece of work are read by its own rules', async () => {
  const read = createPartReader(scale);
  const connection = login();
  const parts = [part('one', null), part('two', 7), part('two', 7), part('one', null)];
  expect(await counted(read, connection, ...parts)).toEqual([1, 0, 0, 1]);
});

test('[4.15] the keys are looked at anew once for each piece of work and each login', async () => {
  const read = createPartReader(scale);
  const [first, second] = [login(), login()];
  await counted(read, first, part('one', null), part('one', null));
  expect(first.renewals).toBe(1);
  await counted(read, first, part('two', null));
  expect(first.renewals).toBe(2);
  await counted(read, second, part('two', null));
  expect([first.renewals, second.renewals]).toEqual([2, 1]);
});

test('a part that is not wanted any more is not begun', async () => {
  const connection = login();
  const work = createPartReader(scale)(connection, part('one', null), AbortSignal.abort('gone'));
  await expect(work).rejects.toBe('gone');
  expect(connection.renewals).toBe(0);
});
