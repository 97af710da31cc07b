import { byMeasure } from '../../analysis/reading.js';
import type { RandomBytes } from '../../analysis/release/discrete-laplace.js';
import {
  figuresInForce,
  type NoiseRelease,
  type NoiseRules,
  noiseInForce,
  releaseNoise,
} from '../../analysis/release/noise.js';
import { averagesBehind, isIncluded } from '../../analysis/summarise-cohort.js';
import type { CountedSums } from '../../analysis/sums.js';
import { formatUtc } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import type { ReleaseRecord } from '../../documents/results-document.js';

interface ReleaseInput {
  /** The sums with which each Pod counts. */
  counted: Iterable<CountedSums>;
  now: Date;
  /** Whether anybody is to be sent a figure; a Cancel can still come. */
  hasRecipients: boolean;
  random: RandomBytes | undefined;
}

interface Released {
  /** With the new release, which has to be stored before a figure leaves. */
  releases: readonly NoiseRelease[];
  /** The figures that everybody is sent in place of the exact ones; null without a configured release. */
  release: ReleaseRecord | null;
}

/** The cohort figures that callers are sent, by the policy of the configuration. */
export function releaseFigures(
  config: Config,
  before: readonly NoiseRelease[],
  { counted, now, hasRecipients, random }: ReleaseInput,
): Released {
  const rules = releaseRules(config);
  if (rules === null) return { releases: before, release: null };
  const included = [...counted].filter((pod) =>
    isIncluded(pod, config.analysis.minimum_observations),
  );
  const input = { averages: averagesBehind(included), now: now.getTime(), random };
  const releases = hasRecipients ? releaseNoise(before, input, rules) : before;
  const figures = figuresInForce(releases, rules);
  const last = releases.at(-1);
  const at = last === undefined ? null : formatUtc(new Date(last.releasedAt));
  const releasedAt = byMeasure((name) => (figures[name] === null ? null : at));
  const noise = noiseInForce(releases, rules);
  const release = { average_of_averages: figures, released_at: releasedAt, noise, withheld: null };
  return { releases, release };
}

/** Null when callers are sent exact figures, or no figures at all. */
export function releaseRules({ sharing }: Pick<Config, 'sharing'>): NoiseRules | null {
  if (!sharing.share_cohort_average || sharing.cohort_release === null) return null;
  const { epsilon, every_days, budget, bounds, per_days } = sharing.cohort_release;
  return {
    epsilon,
    everyDays: every_days,
    bounds,
    budget,
    perDays: per_days,
    minimumCohortPods: sharing.minimum_cohort_pods,
  };
}
