import { expect, test } from 'vitest';
import { someSums } from '../../../test/support/table.js';
import { byMeasure } from '../../analysis/reading.js';
import type { NoiseRelease } from '../../analysis/release/noise.js';
import type { CountedSums } from '../../analysis/sums.js';
import { configSchema } from '../../config/schema.js';
import { releaseFigures, releaseRules } from './release-figures.js';

const server = 'https://pods.example/';
const bounds = { systolic: [80, 200], diastolic: [40, 120], heart_rate: [30, 150] };
const noisy = {
  cohort_release: { epsilon: 2, every_days: 3, budget: 12, per_days: 30, bounds },
  minimum_cohort_pods: 4,
};
const configWith = (sharing: object) =>
  configSchema.parse({
    analyser: { web_id: `${server}analyser/profile/card#me`, server_url: server },
    analysis: { minimum_observations: 2 },
    sharing,
  });

/** A Pod with readings of all measures but the heart rate. */
const sumsOf = (observations: number): CountedSums => {
  const measure = { sum: 12_000 * observations, count: observations };
  return {
    observation_count: observations,
    measures: { ...someSums.measures, systolic: measure, diastolic: measure },
  };
};
const pods = (count: number, observations = 2) =>
  Array.from({ length: count }, () => sumsOf(observations));

const now = new Date('2026-11-01T06:00:00Z');
const earlier: NoiseRelease = {
  releasedAt: Date.parse('2026-10-31T05:00:00Z'),
  epsilon: 2,
  figures: { systolic: 121, diastolic: 81, heart_rate: 61 },
  pods: { systolic: 4, diastolic: 5, heart_rate: 3 },
};
const none = byMeasure(() => null);

const released = (
  sharing: object,
  counted: readonly CountedSums[],
  { before = [], hasRecipients = true }: { before?: NoiseRelease[]; hasRecipients?: boolean } = {},
) =>
  releaseFigures(configWith(sharing), before, { counted, now, hasRecipients, random: undefined });

test.each<[string, object]>([
  ['exact figures are sent', {}],
  ['no figures are sent', { ...noisy, share_cohort_average: false }],
])('[5.9] nothing is released where %s, and earlier releases stay', (_, sharing) => {
  expect(releaseRules(configWith(sharing))).toBeNull();
  const before = [earlier];
  const { releases, release } = released(sharing, pods(4), { before });
  expect(releases).toBe(before);
  expect(release).toBeNull();
});

test('the rules of a release are those of the configuration', () => {
  expect(releaseRules(configWith(noisy))).toEqual({
    epsilon: 2,
    everyDays: 3,
    budget: 12,
    perDays: 30,
    bounds,
    minimumCohortPods: 4,
  });
});

test('[5.10] a release is made for recipients, of Pods with enough readings', () => {
  const { releases, release } = released(noisy, [...pods(4), ...pods(3, 1)]);
  expect(releases).toMatchObject([
    { releasedAt: now.getTime(), epsilon: 2, pods: { systolic: 4, diastolic: 4, heart_rate: 0 } },
  ]);
  const at = '2026-11-01T06:00:00.000+00:00';
  expect(release).toMatchObject({
    average_of_averages: { systolic: expect.any(Number), heart_rate: null },
    released_at: { systolic: at, diastolic: at, heart_rate: null },
    withheld: null,
  });
});

test.each<[string, CountedSums[], boolean]>([
  ['nobody is sent a figure', pods(4), false],
  ['too few Pods have enough readings', [...pods(3), ...pods(4, 1)], true],
])('[5.10][5.14] while %s, none is made', (_, counted, hasRecipients) => {
  expect(released(noisy, counted, { hasRecipients })).toEqual({
    releases: [],
    release: { average_of_averages: none, released_at: none, noise: none, withheld: null },
  });
});

test('[5.9][5.14] the last release stands, with its own time, for each measure that rests on enough Pods', () => {
  const first = { ...earlier, releasedAt: 0, figures: { ...earlier.figures, systolic: 99 } };
  const { releases, release } = released(noisy, pods(5), {
    before: [first, earlier],
    hasRecipients: false,
  });
  expect(releases).toEqual([first, earlier]);
  const at = '2026-10-31T05:00:00.000+00:00';
  expect(release).toMatchObject({
    average_of_averages: { systolic: 121, diastolic: 81, heart_rate: null },
    released_at: { systolic: at, diastolic: at, heart_rate: null },
    noise: { systolic: expect.any(Number), heart_rate: null },
  });
});
