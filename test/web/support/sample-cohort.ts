import type { PodRecord, ResultsDocument } from '../../../src/documents/results-document.js';

/**
 * Made-up people for the dashboard to show. A run of the same number is always the same,
 * so that a test can say what must be on the page.
 */
const names =
  'alice bob carla dmitri eve farid greta hassan ines jonas kenji lena marco nadia otto priya quentin rosa sven tara umar vera wen ximena yusuf zoe amir bella cyrus dora emil fiona gino hana ivan julia karim lucia mona nils';
export const podNames = names.split(' ');

const host = 'localhost:3000';
export const podIdOf = (name: string) => `${host}-${name}`;
export const webIdOf = (name: string) => `http://${host}/${name}/profile/card#me`;

type MeasureName = keyof PodRecord['measures'];
const middles: Record<MeasureName, number> = { systolic: 124, diastolic: 79, heart_rate: 68 };
const widths: Record<MeasureName, number> = { systolic: 9, diastolic: 6, heart_rate: 7 };

/** Numbers around 0, about one wide, the same for the same seed. */
function numberOf(seed: number): number {
  const uniform = (step: number) => {
    const raw = Math.sin(seed * 127.1 + step * 311.7) * 43758.5453;
    return raw - Math.floor(raw);
  };
  return (uniform(1) + uniform(2) + uniform(3) + uniform(4) - 2) * 1.7;
}

const sampleHome: NonNullable<PodRecord['home']> = {
  from: '2026-11-14',
  to: '2026-11-19',
  days: 6,
  readings: 14,
  average: { systolic: 127.25, diastolic: 81.5, heart_rate: 66 },
  morning: { systolic: 125, diastolic: 80, heart_rate: 64 },
  evening: null,
  first_day_left_out: true,
};

const sampleRecent: NonNullable<PodRecord['recent']> = {
  ...sampleHome,
  from: '2026-10-30',
  readings: 6,
  morning: null,
};

function podOf(index: number, run: number): PodRecord {
  const name = podNames[index] ?? `pod-${index}`;
  const observations = index % 13 === 7 ? 2 : 14 + ((index * 7) % 31) + run;
  const measureOf = (measure: MeasureName, column: number) => {
    const own = numberOf(index * 3 + column + 1) * widths[measure];
    const average = middles[measure] + own + numberOf(run * 7 + index + column) * 1.4 - run * 0.06;
    const missing = measure === 'heart_rate' && index % 17 === 11;
    if (missing) {
      return { average: null, minimum: null, maximum: null, standard_deviation: null, count: 0 };
    }
    return {
      average,
      minimum: Math.round(average - 11 - (index % 5)),
      maximum: Math.round(average + 12 + (index % 7)),
      standard_deviation: 4.2 + (index % 6) * 0.55,
      count: observations,
    };
  };
  return {
    pod_id: podIdOf(name),
    web_id: webIdOf(name),
    pod_root: `http://${host}/${name}/`,
    observation_count: observations,
    files_read: observations,
    files_skipped: index % 9 === 4 ? 3 : 0,
    included_in_cohort: observations >= 5,
    first_observation: '2026-05-04T07:10:00.000',
    last_observation: new Date(Date.UTC(2026, 10, 19 - (index % 12), 6, 45))
      .toISOString()
      .replace('Z', ''),
    measures: {
      systolic: measureOf('systolic', 0),
      diastolic: measureOf('diastolic', 1),
      heart_rate: measureOf('heart_rate', 2),
    },
    // Alice and Bob asked for this run.
    ...(index === 0 && { home: sampleHome, recent: null }),
    ...(index === 1 && { home: null, recent: sampleRecent }),
    notes: index % 9 === 4 ? ['1 reading was left out: outside the plausible range.'] : [],
  };
}

function cohortOf(pods: PodRecord[], run: number): ResultsDocument['cohort'] {
  const included = pods.filter((pod) => pod.included_in_cohort);
  const averages = { systolic: 124 - run * 0.06, diastolic: 79, heart_rate: 68 };
  return {
    pod_count: pods.length,
    included_pod_count: included.length,
    observation_count: included.reduce((sum, pod) => sum + pod.observation_count, 0),
    average_of_averages: averages,
    pooled_average: averages,
    spread_of_averages: { systolic: 9, diastolic: 6, heart_rate: 7 },
  };
}

/** Run number 0 is the oldest; one a day. */
export function sampleRun(number: number, podCount: number): ResultsDocument {
  const at = new Date(Date.UTC(2026, 9, 16 + number, 9, 15, number % 60));
  const pods = Array.from({ length: podCount }, (_, index) => podOf(index, number));
  const file = (name: string, day: number) =>
    `http://${host}/${name}/app/data/blood_pressure/bp_2026-11-0${day}T07-00-00.json.enc.ttl`;
  return {
    schema_version: 1,
    run_id: at.toISOString().replace(/[-:]|\.\d+/g, ''),
    generated_at: at.toISOString().replace('Z', '+00:00'),
    requested_by: webIdOf('alice'),
    analyser: {
      web_id: webIdOf('analyser'),
      app_dir_name: 'app',
      server_url: `http://${host}/`,
    },
    analysis: { minimum_observations: 5, window_days: null },
    cohort: cohortOf(pods, number),
    pods,
    charts: { pods: { [podIdOf('alice')]: `${podIdOf('alice')}.png` } },
    sharing: {
      enabled: true,
      published: [
        {
          kind: 'pod-average',
          pod_id: podIdOf('alice'),
          resource_url: `http://${host}/analyser/app/data/analyser/${podIdOf('alice')}/bp-average.json.enc.ttl`,
          recipients: [webIdOf('alice')],
          failures: {},
        },
        {
          kind: 'cohort-average',
          pod_id: 'cohort',
          resource_url: `http://${host}/analyser/app/data/analyser/cohort/bp-cohort-average.json.enc.ttl`,
          recipients: [webIdOf('alice')],
          failures: {},
        },
      ],
    },
    warnings: [
      ...[1, 2, 3].map((day) => `${file('eve', day)}: could not be decrypted (file skipped).`),
      ...[1, 2].map((day) => `${file('nadia', day)}: no key has been shared for this resource.`),
      `${file('wen', 4)}: access was revoked during the run (file skipped).`,
    ],
  };
}
