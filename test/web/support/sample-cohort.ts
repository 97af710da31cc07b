import type { PodRecord, ResultsDocument } from '../../../src/documents/results-document.js';
import { samplePod, sampleResults } from '../../support/results-sample.js';

/**
 * Made-up people for the dashboard to show. A run of the same number is always the same,
 * so that a test can say what must be on the page.
 */
const names =
  'alice bob carla dmitri eve farid greta hassan ines jonas kenji lena marco nadia otto priya quentin rosa sven tara umar vera wen ximena yusuf zoe amir bella cyrus dora emil fiona gino hana ivan julia karim lucia mona nils';
const podNames = names.split(' ');

const host = 'localhost:3000';
export const podIdOf = (name: string) => `${host}-${name}`;
export const webIdOf = (name: string) => `https://${host}/${name}/profile/card#me`;

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

/** Alice and Bob asked for the run. */
const latestOf = new Map<string, Pick<PodRecord, 'home' | 'recent'>>([
  ['alice', { home: sampleHome, recent: null }],
  ['bob', { home: null, recent: { ...sampleHome, from: '2026-10-30', readings: 6 } }],
]);

export const noMeasure = {
  average: null,
  minimum: null,
  maximum: null,
  standard_deviation: null,
  count: 0,
};

function podOf(index: number, run: number): PodRecord {
  const name = podNames[index] ?? `pod-${index}`;
  const count = index % 13 === 7 ? 2 : 14 + ((index * 7) % 31) + run;
  const measureOf = (middle: number, width: number) => {
    // From -1 to 1, in no order.
    const spread = (((index * 37) % 23) + ((index * 53 + width * 11) % 19)) / 20 - 1;
    const average = middle + spread * 2 * width - run * 0.06;
    const [minimum, maximum] = [Math.round(average - 13), Math.round(average + 15)];
    return { average, minimum, maximum, standard_deviation: 5.2, count };
  };
  const lastDay = new Date(Date.UTC(2026, 10, 19 - (index % 12), 6, 45));
  return {
    ...samplePod(podIdOf(name)),
    observation_count: count,
    files_read: count,
    files_skipped: index % 9 === 4 ? 3 : 0,
    included_in_cohort: count >= 5,
    first_observation: '2026-05-04T07:10:00.000',
    last_observation: lastDay.toISOString().replace('Z', ''),
    measures: {
      systolic: measureOf(124, 9),
      diastolic: measureOf(79, 6),
      heart_rate: index % 17 === 11 ? noMeasure : measureOf(68, 7),
    },
    ...latestOf.get(name),
    notes: index % 9 === 4 ? ['1 reading was left out: outside the plausible range.'] : [],
  };
}

/** Run number 0 is the oldest; one a day. */
export function sampleRun(number: number, podCount: number): ResultsDocument {
  const at = new Date(Date.UTC(2026, 9, 16 + number, 9, 15, number % 60));
  const pods = Array.from({ length: podCount }, (_, index) => podOf(index, number));
  const included = pods.filter((pod) => pod.included_in_cohort);
  const averages = { systolic: 124 - number * 0.06, diastolic: 79, heart_rate: 68 };
  const published = (kind: 'pod-average' | 'cohort-average', pod_id: string) => ({
    kind,
    pod_id,
    resource_url: `https://${host}/analyser/app/data/analyser/${pod_id}/${kind}.json.enc.ttl`,
    recipients: [webIdOf('alice')],
    failures: {},
  });
  const file = (name: string, day: number) =>
    `https://${host}/${name}/app/data/blood_pressure/bp_2026-11-0${day}T07-00-00.json.enc.ttl`;
  return {
    ...sampleResults(at.toISOString().replace(/[-:]|\.\d+/g, ''), []),
    generated_at: at.toISOString().replace('Z', '+00:00'),
    requested_by: webIdOf('alice'),
    analysis: { minimum_observations: 5, window_days: null },
    cohort: {
      pod_count: pods.length,
      included_pod_count: included.length,
      observation_count: included.reduce((sum, pod) => sum + pod.observation_count, 0),
      average_of_averages: averages,
      pooled_average: averages,
      spread_of_averages: { systolic: 9, diastolic: 6, heart_rate: 7 },
    },
    pods,
    sharing: {
      enabled: true,
      published: [
        published('pod-average', podIdOf('alice')),
        published('cohort-average', 'cohort'),
      ],
    },
    warnings: [
      ...[1, 2, 3].map((day) => `${file('eve', day)}: could not be decrypted (file skipped).`),
      `${file('nadia', 1)}: no key has been shared for this resource.`,
      `${file('wen', 4)}: access was revoked during the run (file skipped).`,
    ],
  };
}
