import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { askTogether } from '../support/ask-together.js';
import { type Contributor, createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { checkResults, collectCohort, collectOwn } from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
/** Follows the guidelines, in Auckland. */
let anna: Contributor;
let ben: Contributor;
let runs: TestRuns;

/** 150/95 on the first day, then 120/75 in the mornings and 130/85 in the evenings. */
const week = ['02', '03', '04', '05', '06', '07', '08'].flatMap((day, index) =>
  ['07:00', '07:01', '19:00', '19:01'].map((clock, place) => {
    const [systolic, diastolic] = index === 0 ? [150, 95] : place < 2 ? [120, 75] : [130, 85];
    const timestamp = `2026-11-${day}T${clock}:00.000+13:00`;
    return { timestamp, systolic, diastolic, heart_rate: 60 };
  }),
);

/** Seven in the evening of the 8th in Auckland is six in the morning of that day in UTC. */
const annaAtHome = {
  from: '2026-11-03',
  to: '2026-11-08',
  days: 6,
  readings: 24,
  average: { systolic: 125, diastolic: 80, heart_rate: 60 },
  morning: { systolic: 120, diastolic: 75, heart_rate: 60 },
  evening: { systolic: 130, diastolic: 85, heart_rate: 60 },
  first_day_left_out: true,
};

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  anna = await createContributor(server, analyser, week);
  ben = await createContributor(server, analyser, weekly([110, 70, 50]));
}, 180_000);
afterAll(async () => {
  await Promise.all([analyser, anna, ben].map((one) => one.close()));
});
beforeEach(async () => {
  runs = await startTestRuns(server, analyser, { output: { render_charts: false } });
  return () => runs.close();
});

async function storedRun(runId: string) {
  const path = join(runs.config.output.results_dir, `run-${runId}.json`);
  return checkResults(JSON.parse(await readFile(path, 'utf8')));
}

test('each of those who ask together is told of their own Pod alone', async () => {
  const webIds = [anna, ben].map(({ pod }) => pod.webId);
  const replies = await askTogether(runs, webIds);
  for (const [index, { run_id }] of replies.entries()) {
    const { pods } = await storedRun(run_id);
    expect(pods).toHaveLength(2);
    const told = pods.filter((pod) => 'home' in pod || 'recent' in pod);
    expect(told.map(({ web_id }) => web_id)).toEqual([webIds[index]]);
  }
  const own = await collectOwn(analyser, anna);
  expect(own.pod).toMatchObject({
    first_observation: '2026-11-02T07:00:00.000+13:00',
    last_observation: '2026-11-08T19:01:00.000+13:00',
    home: annaAtHome,
    recent: null,
  });
  expect((await collectOwn(analyser, ben)).pod).toMatchObject({
    home: null,
    recent: { days: 1, readings: 1 },
  });
  expect(JSON.stringify(await collectCohort(analyser, anna))).not.toMatch(
    /home|recent|observation/,
  );
});
