import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fhirOfResult } from '../../src/client/fhir-observations.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { readStateMarker } from '../../src/store/state.js';
import { createContributor, weekly } from '../support/contributor.js';
import { keepPlans } from '../support/drawn-plans.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import {
  checkResults,
  cohortAddress,
  collectCohort,
  collectOwn,
  ownResultAddress,
} from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
const kept = keepPlans();
const analyser = await createInitialisedPod(server);
const contribute = (...values: Parameters<typeof weekly>) =>
  createContributor(server, analyser, weekly(...values));
/** The figures below were worked out by hand from these readings: systolic, diastolic, heart rate. */
const [anna, ben, cleo, dan, eve] = await Promise.all([
  contribute([120, 80, 60], [130, 90, 70], [140, 85, null]),
  contribute([110, 70, 50]),
  contribute([150, 100, 80], [160, 110, 90]),
  contribute([125, 75, null]),
  // The first one is outside the plausible limits.
  contribute([400, 60, 60], [100, 60, 55], [104, 64, 65]),
]);
const runs = await startTestRuns(server, analyser, {}, { tools: kept.tools });

const podIdOf = ({ pod }: InitialisedPod) => podIdOfRoot(pod.root);

const cohortOfFive = {
  // (130 + 110 + 155 + 125 + 102) / 5, (85 + 70 + 105 + 75 + 62) / 5, (65 + 50 + 85 + 60) / 4
  average_of_averages: { systolic: 124.4, diastolic: 79.4, heart_rate: 65 },
  // Nine readings, seven of them with a heart rate.
  // 1139 / 9, 734 / 9 and 470 / 7, to two decimals.
  pooled_average: { systolic: 126.56, diastolic: 81.56, heart_rate: 67.14 },
};

const annaMeasures = {
  // The roots of 200 / 3 and 50 / 3.
  systolic: { average: 130, minimum: 120, maximum: 140, standard_deviation: 8.16, count: 3 },
  diastolic: { average: 85, minimum: 80, maximum: 90, standard_deviation: 4.08, count: 3 },
  heart_rate: { average: 65, minimum: 60, maximum: 70, standard_deviation: 5, count: 2 },
};

/** Three days, all of them mornings: one too few to leave the first one out. */
const annaOfLate = {
  from: '2026-01-05',
  to: '2026-01-19',
  days: 3,
  readings: 3,
  average: { systolic: 130, diastolic: 85, heart_rate: 65 },
  morning: { systolic: 130, diastolic: 85, heart_rate: 65 },
  evening: null,
  first_day_left_out: false,
};

test('[5.7][4.13] a run for one caller computes, stores and publishes what the specification lists', async () => {
  const before = Date.now();
  kept.plans.length = 0;
  const outcome = await runs.run({ caller: anna.pod.webId });
  const { document } = outcome;
  const instant = document.generated_at;
  expect(instant).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
  expect(Date.parse(instant)).toBeGreaterThanOrEqual(before);

  const stored = await readFile(join(runs.config.output.results_dir, 'latest.json'), 'utf8');
  expect(await readFile(outcome.path, 'utf8')).toBe(stored);
  expect(outcome.path).toBe(join(runs.config.output.results_dir, `run-${document.run_id}.json`));
  const latest = checkResults(JSON.parse(stored));
  expect(latest).toEqual(document);
  const { pods, ...rest } = latest;
  const [ownUrl, cohortUrl] = [ownResultAddress(analyser, anna), cohortAddress(analyser)];
  const recipients = [anna.pod.webId];
  expect(rest).toEqual({
    schema_version: 1,
    run_id: expect.stringMatching(/^\d{8}T\d{6}Z$/),
    generated_at: instant,
    requested_by: anna.pod.webId,
    analyser: { web_id: analyser.pod.webId, app_dir_name: 'app', server_url: server.baseUrl },
    analysis: { minimum_observations: 1, window_days: null },
    cohort: {
      pod_count: 5,
      included_pod_count: 5,
      observation_count: 9,
      ...cohortOfFive,
      spread_of_averages: {
        // The roots of 335.44, 219.44 and 162.5.
        systolic: 18.32,
        diastolic: 14.81,
        heart_rate: 12.75,
      },
    },
    charts: { pods: { [podIdOf(anna)]: `${podIdOf(anna)}.png` } },
    sharing: {
      enabled: true,
      published: [
        {
          kind: 'pod-average',
          pod_id: podIdOf(anna),
          resource_url: ownUrl,
          recipients,
          failures: {},
        },
        {
          kind: 'cohort-average',
          pod_id: 'cohort',
          resource_url: cohortUrl,
          recipients,
          failures: {},
        },
      ],
    },
    warnings: [],
  });
  expect(pods.map(({ web_id }) => web_id)).toEqual(
    [anna, ben, cleo, dan, eve].map(({ pod }) => pod.webId).sort(),
  );
  const annaEntry = pods.find(({ pod_id }) => pod_id === podIdOf(anna));
  expect(annaEntry).toEqual({
    pod_id: podIdOf(anna),
    web_id: anna.pod.webId,
    pod_root: anna.pod.root,
    observation_count: 3,
    files_read: 3,
    files_skipped: 0,
    included_in_cohort: true,
    first_observation: '2026-01-05T08:00:00.000',
    last_observation: '2026-01-19T08:00:00.000',
    measures: annaMeasures,
    home: null,
    recent: annaOfLate,
    notes: [],
  });
  expect(pods.filter((pod) => 'home' in pod)).toEqual([annaEntry]);
  expect(pods.find(({ pod_id }) => pod_id === podIdOf(dan))?.measures.heart_rate).toEqual({
    average: null,
    minimum: null,
    maximum: null,
    standard_deviation: null,
    count: 0,
  });
  expect(pods.find(({ pod_id }) => pod_id === podIdOf(eve))).toMatchObject({
    observation_count: 2,
    files_read: 3,
    files_skipped: 0,
    notes: ['1 reading is outside the plausible limits and was left out.'],
  });

  const units = { systolic: 'mm Hg', diastolic: 'mm Hg', heart_rate: 'bpm' };
  const common = { schema_version: 1, generated_at: instant, analyser_web_id: analyser.pod.webId };
  const cohort = { pod_count: 5, ...cohortOfFive };
  const own = await collectOwn(analyser, anna);
  const png = Buffer.from(own.chart?.data ?? '', 'base64');
  expect(own).toEqual({
    ...common,
    kind: 'pod-average',
    average: { systolic: 130, diastolic: 85, heart_rate: 65 },
    pod: {
      observation_count: 3,
      measures: annaMeasures,
      files_read: 3,
      files_skipped: 0,
      first_observation: '2026-01-05T08:00:00.000',
      last_observation: '2026-01-19T08:00:00.000',
      home: null,
      recent: annaOfLate,
      notes: [],
    },
    cohort,
    units,
    chart: { format: 'png', encoding: 'base64', data: expect.any(String) },
  });
  expect(await collectCohort(analyser, anna)).toEqual({
    ...common,
    kind: 'cohort-average',
    cohort,
    units,
  });

  const { charts_dir, state_dir } = runs.config.output;
  expect(await readdir(charts_dir)).toEqual([`${podIdOf(anna)}.png`]);
  expect(await readFile(join(charts_dir, `${podIdOf(anna)}.png`))).toEqual(png);
  const [plan, ...others] = kept.plans;
  expect(others).toEqual([]);
  expect(plan).toEqual({
    means: null,
    span: [Date.UTC(2026, 0, 5, 8), Date.UTC(2026, 0, 19, 8)],
    readingCount: 3,
    undatedCount: 0,
    home: null,
    period: null,
    own: { systolic: 130, diastolic: 85, heart_rate: 65 },
    cohort: cohortOfFive.average_of_averages,
    noise: { systolic: null, diastolic: null, heart_rate: null },
    points: [
      { at: Date.UTC(2026, 0, 5, 8), systolic: 120, diastolic: 80, heart_rate: 60 },
      { at: Date.UTC(2026, 0, 12, 8), systolic: 130, diastolic: 90, heart_rate: 70 },
      { at: Date.UTC(2026, 0, 19, 8), systolic: 140, diastolic: 85, heart_rate: null },
    ],
  });
  expect(await readStateMarker(state_dir)).toMatchObject({
    running: null,
    last_run: { run_id: document.run_id, status: 'COMPLETED' },
    last_cancelled: null,
  });
});

test('[7.3] the reply carries the caller’s own counts, the cohort’s Pods and the published instant', async () => {
  const report = await runs.ask(eve);
  expect(report).toEqual({
    status: 'COMPLETED',
    run_id: expect.stringMatching(/^\d{8}T\d{6}Z$/),
    generated_at: (await collectOwn(analyser, eve)).generated_at,
    message: '',
    isPersonal: false,
    result_url: ownResultAddress(analyser, eve),
    pod_count: 5,
    observation_count: 2,
    files_read: 3,
    files_skipped: 0,
    published: true,
  });
});

test('with a window and a study period only readings of both count, and documents, page and picture tell it', async () => {
  const period = { from: '2026-01-01', until: '2026-01-12' };
  const analysis = { ...period, window_days: 10 };
  const [caller, without] = [anna, ben];
  const now = () => new Date('2026-01-20T00:00:00Z');
  const { tools, plans } = keepPlans();
  const options = { tools: { ...tools, now } };
  const narrow = await startTestRuns(server, analyser, { analysis }, options);
  const { document } = await narrow.run({ caller: caller.pod.webId });
  const report = await narrow.ask(without);
  // Of who has no reading that counts, no picture is drawn.
  expect(plans).toMatchObject([{ readingCount: 1, period }]);
  // The second readings of Anna, Cleo and Eve: (130 + 160 + 100) / 3, (90 + 110 + 60) / 3, (70 + 90 + 55) / 3.
  const averages = { systolic: 130, diastolic: 86.67, heart_rate: 71.67 };
  expect(document.cohort).toMatchObject({ included_pod_count: 3, average_of_averages: averages });
  expect(document.analysis).toMatchObject({ period, window_days: 10 });
  const own = await collectOwn(analyser, caller);
  expect(own).toMatchObject({
    period,
    average: { systolic: 130, diastolic: 90, heart_rate: 70 },
    pod: { observation_count: 1 },
  });
  const texts = JSON.stringify(fhirOfResult(own, caller.pod.webId));
  expect(texts).toContain('in the study period 2026-01-01 to 2026-01-12; number of readings: 1.');

  const message = 'None of your readings count in this analysis.';
  expect(report).toMatchObject({ published: true, observation_count: 0, files_read: 1, message });
  const none = await collectOwn(analyser, without);
  expect(none.average).toEqual({ systolic: null, diastolic: null, heart_rate: null });
  expect(none.pod).toMatchObject({
    first_observation: null,
    last_observation: null,
    home: null,
    recent: null,
    notes: [
      '1 reading is not from the last 10 days within the study period (2026-01-01 to 2026-01-12) and was left out.',
    ],
  });
  expect(none).not.toHaveProperty('chart');
  expect((await collectCohort(analyser, without)).period).toEqual(period);
});
