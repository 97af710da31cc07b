import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import type { HttpSolidClient } from '../../src/solid/solid-client.js';
import { plantKey, readingText } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { operate } from '../support/operator.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

/**
 * `https://other/people/x/` and `https://other/people-x/` would have one pod_id. A server of the test's
 * own, as the real one of the tests has Pods of one depth only; it names the storage of each file.
 */
const server = sharedSolidServer();
const readings = new Map<string, string>();
const other = createServer((request, answer) => {
  const [pod = ''] = /^\/.*?\/(?=app\/)/.exec(request.url ?? '') ?? [];
  const text = readings.get(pod);
  const description = `<${pod}.well-known/solid>; rel="http://www.w3.org/ns/solid/terms#storageDescription"`;
  answer.setHeader('link', ['<x.acl>; rel="acl"', description]);
  answer.setHeader('wac-allow', 'user="read",public=""');
  if (text === undefined) answer.writeHead(404).end();
  else answer.end(text);
});
let origin: string;
let analyser: InitialisedPod;
let mallory: InitialisedPod;
let client: HttpSolidClient;
let runs: TestRuns;

beforeAll(async () => {
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;
});
afterAll(() => void other.close());
beforeEach(async () => {
  readings.clear();
  analyser = await createInitialisedPod(server);
  mallory = await createInitialisedPod(server);
  const allowed_origins = [origin];
  client = createSolidClient({
    serverUrl: server.baseUrl,
    allowedOrigins: allowed_origins,
    credentials: analyser.account,
  });
  const sections = { output: { render_charts: false }, data: { allowed_origins } };
  runs = await startTestRuns(server, analyser, sections, { client });
});
afterEach(async () => {
  await runs.close();
  await Promise.all([analyser, mallory, client].map((one) => one.close()));
});

const real = '/people/x/';
const rival = '/people-x/';

async function share(pod: string, systolic: number | null): Promise<void> {
  if (systolic !== null) {
    const reading = { timestamp: '2026-02-01T08:00:00.000', diastolic: 80, heart_rate: 60 };
    readings.set(pod, readingText({ ...reading, systolic }));
  }
  await plantKey(mallory, analyser, `${origin}${pod}app/data/blood_pressure/bp_1.json`);
}

async function run(): Promise<ResultsDocument> {
  return (await runs.run({ caller: null })).document;
}

const idIn = ({ pods }: ResultsDocument, pod: string) =>
  pods.find(({ pod_root }) => pod_root === `${origin}${pod}`)?.pod_id;
const host = () => new URL(origin).host;

test('an address without a file displaces nobody, whether it came first or second', async () => {
  await share(rival, null);
  await share(real, 130);
  const first = await run();
  expect(idIn(first, real)).toBe(`${host()}-people-x`);
  expect(first.cohort).toMatchObject({ pod_count: 1, average_of_averages: { systolic: 130 } });
  const { cohort, pods } = await run();
  expect({ cohort, pods }).toEqual({ cohort: first.cohort, pods: first.pods });
});

test('a Pod with files that comes second gets another name, and nobody else’s changes', async () => {
  await share(real, 130);
  const id = idIn(await run(), real);
  await share(rival, 200);
  for (let time = 0; time < 2; time += 1) {
    const both = await run();
    expect(both.cohort).toMatchObject({ pod_count: 2, average_of_averages: { systolic: 165 } });
    expect(idIn(both, real)).toBe(id);
    expect(idIn(both, rival)).toMatch(new RegExp(`^${host()}-people-x-[0-9a-f]{12}$`));
  }
});

test('the name of a Pod that was forgotten is given to no other, and it gets it back', async () => {
  await share(real, 130);
  const id = idIn(await run(), real);
  const file = readings.get(real) ?? '';
  readings.delete(real);
  expect(await operate(runs, analyser, 'forget', '--all')).toMatchObject({ code: 0 });
  await share(rival, 200);
  const alone = await run();
  expect(alone.cohort.pod_count).toBe(1);
  expect(idIn(alone, rival)).not.toBe(id);
  readings.set(real, file);
  const both = await run();
  expect(idIn(both, real)).toBe(id);
  expect(idIn(both, rival)).toBe(idIn(alone, rival));
});

test('of two that are new in one analysis, the lower address has the name, for good', async () => {
  await share(real, 130);
  await share(rival, 200);
  const first = await run();
  // In the order of their characters "-" comes before "/".
  expect(idIn(first, rival)).toBe(`${host()}-people-x`);
  expect(idIn(first, real)).toMatch(/-people-x-[0-9a-f]{12}$/);
  readings.delete(rival);
  const alone = await run();
  expect(idIn(alone, real)).toBe(idIn(first, real));
});
