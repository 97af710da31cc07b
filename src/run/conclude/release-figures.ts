import { type Figures, figuresOf } from '../../analysis/figures.js';
import { averageOf } from '../../analysis/measure-sums.js';
import type { MeasureName } from '../../analysis/reading.js';
import { decideRelease, type ReleaseRules } from '../../analysis/release/decide-release.js';
import type { RandomBytes } from '../../analysis/release/discrete-laplace.js';
import { recordWarnings } from '../../analysis/release/record-room.js';
import type { CountedPod, ReleaseRecord } from '../../analysis/release/release-record.js';
import {
  type CohortSummary,
  type CountedFigures,
  isIncluded,
} from '../../analysis/summarise-cohort.js';
import { withoutFullStop } from '../../base/sentences.js';
import { formatUtc } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import type { ReleaseEntry } from '../../documents/results-document.js';
import type { DigestOf } from '../../memory/digests.js';
import { webIdOfRoot } from '../../pod/addresses.js';

/**
 * The entry for run documents if figures are withheld; null if, by the configuration, callers get the exact figures or
 * none at all.
 */
export function withheldEntry(config: Config, reason: string): ReleaseEntry | null {
  const rules = releaseRules(config);
  const none = figuresOf(() => null);
  return (
    rules && {
      mechanism: rules.mechanism,
      withheld: reason,
      average_of_averages: none,
      released_at: none,
    }
  );
}

interface ReleaseInput {
  cohort: CohortSummary;
  /** The figures with which each Pod counts, by root. */
  counted: ReadonlyMap<string, CountedFigures>;
  now: Date;
  digestOf: DigestOf;
  /** Whether anybody will be sent a figure. */
  isSent: boolean;
  withheld: string | null;
  random: RandomBytes | undefined;
}

interface ReleasedFigures {
  /** Null when callers are sent the exact figures, or none by the configuration. */
  figures: Figures | null;
  /** The new record, which has to be stored before a figure leaves. */
  record: ReleaseRecord;
  /** For the run documents; null without a configured release. */
  entry: ReleaseEntry | null;
  warnings: string[];
}

/** The cohort figures that callers are sent, by the policy of the configuration. */
export function releaseFigures(
  config: Config,
  record: ReleaseRecord,
  { cohort, counted, now, digestOf, isSent, withheld, random }: ReleaseInput,
): ReleasedFigures {
  if (withheld !== null) {
    const entry = withheldEntry(config, withheld);
    return { figures: figuresOf(() => null), record, entry, warnings: [] };
  }
  const rules = releaseRules(config);
  if (rules === null) return { figures: null, record, entry: null, warnings: [] };
  const decision = decideRelease(
    record,
    {
      now: now.getTime(),
      averages: cohort.average_of_averages,
      pods: countPods(counted, config.analysis.minimum_observations, digestOf),
      mayRelease: isSent,
      random,
    },
    rules,
  );
  const entry: ReleaseEntry = {
    mechanism: rules.mechanism,
    average_of_averages: decision.figures,
    released_at: figuresOf((name) => {
      const at = decision.releasedAt[name];
      return at === null ? null : formatUtc(new Date(at));
    }),
    withheld: null,
  };
  const warnings = recordWarnings(decision.record, now.getTime(), rules);
  return { figures: decision.figures, record: decision.record, entry, warnings };
}

/** Null when callers are sent exact figures, or no figures at all. */
export function releaseRules({ sharing }: Pick<Config, 'sharing'>): ReleaseRules | null {
  if (!sharing.share_cohort_average) return null;
  const { changed_pods, epsilon, every_days, budget, bounds, per_days } = sharing.cohort_release;
  const common = { perDays: per_days, minimumCohortPods: sharing.minimum_cohort_pods };
  if (changed_pods !== null) return { mechanism: 'steps', changedPods: changed_pods, ...common };
  if (epsilon === null || every_days === null || budget === null) return null;
  return { mechanism: 'noise', epsilon, everyDays: every_days, bounds, budget, ...common };
}

export function withheldWarning(reason: string): string {
  const sentence = withoutFullStop(reason);
  return `Cohort figures are withheld: ${sentence}. Find out why, then run the mode \`release\` with --confirm to send out figures again.`;
}

/** The Pods that count for each measure, under keyed digests of their roots. */
export function countPods(
  counted: ReadonlyMap<string, CountedFigures>,
  minimumObservations: number,
  digestOf: DigestOf,
): Record<MeasureName, CountedPod[]> {
  const included = [...counted].filter(([, figures]) => isIncluded(figures, minimumObservations));
  const named = included.map(([root, { measures }]) => ({
    root,
    pod: digestOf('root', root),
    measures,
  }));
  return figuresOf((name) =>
    named.flatMap(({ root, pod, measures }) => {
      const { sum, count } = measures[name];
      const average = averageOf(measures[name]);
      if (average === null) return [];
      const text = digestOf('figure', `${name} ${count} ${sum} ${webIdOfRoot(root)}`);
      return [{ pod, average, digest: Buffer.from(text, 'base64url').readUInt32BE() }];
    }),
  );
}
