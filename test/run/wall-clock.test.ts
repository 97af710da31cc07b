import { afterAll, beforeAll, expect, test } from 'vitest';
import { addReadings } from '../../src/client/add-readings.js';
import { fhirOfResult } from '../../src/client/fhir-observations.js';
import { parseNewReading } from '../../src/client/new-reading.js';
import { readReadings } from '../../src/client/readings.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { createContributor, type TestReading } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { collectOwn } from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let runs: TestRuns;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  runs = await startTestRuns(server, analyser);
}, 180_000);
afterAll(async () => {
  await runs.close();
  await analyser.close();
});

/** What clinics, the page and the picture are given of the readings of one who asks. */
async function handedOut(owner: InitialisedPod) {
  const { document } = await runs.run({ caller: owner.pod.webId });
  const entry = document.pods.find(({ web_id }) => web_id === owner.pod.webId);
  if (entry === undefined) throw new Error('The Pod was not read.');
  const own = await collectOwn(analyser, owner);
  const span = [entry.first_observation, entry.last_observation];
  expect([own.pod.first_observation, own.pod.last_observation]).toEqual(span);
  const [average] = fhirOfResult(own, owner.pod.webId).entry;
  return { span, period: average?.resource.effectivePeriod };
}

function at(...times: string[]): TestReading[] {
  return times.map((timestamp) => ({ timestamp, systolic: 120, diastolic: 80, heart_rate: 60 }));
}

test('recorded by the clock on the wall, a reading keeps that clock and gets no zone', async () => {
  const clock = '2026-08-19T09:15:00.000';
  const owner = await createInitialisedPod(server);
  const reading = parseNewReading({ timestamp: clock, systolic: '120', diastolic: '80' });
  const { added } = await addReadings(owner, [reading]);
  await shareResources(owner.client, owner.pod, {
    urls: added,
    recipientWebId: analyser.pod.webId,
  });
  const [stored] = await readReadings(owner);
  expect(stored?.reading).toMatchObject({ time: Date.parse(`${clock}Z`), offset: 'unknown' });
  const day = clock.slice(0, 10);
  expect(await handedOut(owner)).toEqual({
    span: [clock, clock],
    period: { start: day, end: day },
  });
  await owner.close();
});

test.each([
  [
    'with their offsets, which are true, both ends are instants',
    ['2026-08-19T19:43:08.976-04:00', '2026-08-21T07:00:00.000+05:30'],
    { start: '2026-08-19T19:43:08.976-04:00', end: '2026-08-21T07:00:00.000+05:30' },
  ],
  [
    'where one of them has none, both ends are days',
    ['2026-08-19T19:43:08.976-04:00', '2026-08-21T07:00:00.000'],
    { start: '2026-08-19', end: '2026-08-21' },
  ],
  [
    'across the date line the earlier day comes first',
    // The second is the later one, in an evening that other clocks call the morning after.
    ['2026-08-20T08:00:00.000', '2026-08-19T23:30:00.000-11:00'],
    { start: '2026-08-19', end: '2026-08-20' },
  ],
])('%s', async (_, texts, period) => {
  const owner = await createContributor(server, analyser, at(...texts));
  expect(await handedOut(owner)).toEqual({ span: texts, period });
  await owner.close();
});
