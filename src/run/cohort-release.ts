import { figuresOf } from '../analysis/figures.js';
import type { MeasureName } from '../analysis/reading.js';
import { decideRelease, type ReleaseRules } from '../analysis/release/decide-release.js';
import type { CountedPod } from '../analysis/release/release-record.js';
import { isIncluded } from '../analysis/summarise-cohort.js';
import type { CohortSummary, Figures } from '../analysis/summary.js';
import { formatUtc } from '../base/utc-time.js';
import type { Config } from '../config/schema.js';
import type { ReleaseEntry } from '../documents/results-document.js';
import { webIdOfRoot } from '../pod/addresses.js';
import type { DocumentSeal } from '../pod/crypto/document-seal.js';
import type { ResultsStore } from '../store/results-store.js';
import type { Connection } from './connection.js';
import {
  type KeptRelease,
  keepRelease,
  noteVersion,
  type ReleasePlace,
  readKeptRelease,
  releasePlace,
} from './kept-release.js';
import type { PodResult } from './pod-result.js';

/** What of the cohort callers are sent in place of the exact figures. */
export interface PlannedRelease {
  figures: Figures;
  /** For the results document. */
  entry: ReleaseEntry;
  warnings: string[];
  /**
   * Past the last checkpoint and before any figure leaves: what is new is kept first. When it
   * cannot be, nothing may leave.
   */
  keep(): Promise<void>;
}

export interface ReleaseTask {
  cohort: CohortSummary;
  /** Those of which something could be read. */
  pods: readonly PodResult[];
  now: Date;
  /** Whether anybody will be sent a figure. */
  isSent: boolean;
  /** Some server gave no answer, so Pods or files may be missing. */
  isPartial: boolean;
  signal: AbortSignal;
}

/** What goes out at this analysis; null when that is the exact figures. */
export async function planRelease(
  config: Config,
  connection: Connection,
  results: ResultsStore,
  task: ReleaseTask,
): Promise<PlannedRelease | null> {
  const rules = releaseRules(config);
  if (rules === null) return null;
  const place = releasePlace(connection, config.output.state_dir, results);
  const kept = await readKeptRelease(place, task.signal);
  return kept.withheld === null
    ? plan(config, rules, place, kept, task)
    : withhold(kept.withheld, kept.version, rules);
}

/** Null: callers are sent exact figures, or none at all. */
export function releaseRules({ sharing }: Pick<Config, 'sharing'>): ReleaseRules | null {
  if (!sharing.share_cohort_average) return null;
  const { changed_pods, epsilon, every_days, budget, bounds, per_days } = sharing.cohort_release;
  const common = { perDays: per_days, minimumCohortPods: sharing.minimum_cohort_pods };
  if (changed_pods !== null) return { mechanism: 'steps', changedPods: changed_pods, ...common };
  if (epsilon === null || every_days === null || budget === null) return null;
  return { mechanism: 'noise', epsilon, everyDays: every_days, bounds, budget, ...common };
}

function plan(
  config: Config,
  rules: ReleaseRules,
  place: ReleasePlace,
  kept: KeptRelease,
  { cohort, pods, now, isSent, isPartial }: ReleaseTask,
): PlannedRelease {
  const decision = decideRelease(
    kept.record,
    {
      now: now.getTime(),
      averages: cohort.average_of_averages,
      pods: countPods(pods, config.analysis.minimum_observations, place.document.seal),
      mayRelease: isSent && !isPartial,
    },
    rules,
  );
  // A first record is kept even when it is empty, so that later its absence means something.
  const isNew = decision.record !== kept.record || kept.stored.sealed === null;
  const mustKeep = isNew && config.sharing.enabled;
  const { figures, releasedAt } = decision;
  return {
    figures,
    entry: {
      mechanism: rules.mechanism,
      version: mustKeep ? kept.version + 1 : kept.version,
      average_of_averages: figures,
      released_at: figuresOf((name) => {
        const at = releasedAt[name];
        return at === null ? null : formatUtc(new Date(at));
      }),
      withheld: null,
    },
    warnings:
      isSent && isPartial
        ? ['No new cohort figures were released, because a server gave no answer.']
        : [],
    keep: () =>
      mustKeep ? keepRelease(place, kept, decision.record) : noteVersion(place, kept.version),
  };
}

function withhold(
  reason: string,
  version: KeptRelease['version'],
  { mechanism }: ReleaseRules,
): PlannedRelease {
  const figures = figuresOf(() => null);
  const released_at = figuresOf(() => null);
  return {
    figures,
    entry: { mechanism, version, average_of_averages: figures, released_at, withheld: reason },
    warnings: [`Cohort figures are withheld: ${reason}. ${confirmation}`],
    keep: () => Promise.resolve(),
  };
}

export const confirmation =
  'Find out why, then run the mode `release` with --confirm to send out figures again.';

/** The Pods that count for each measure, under names that say nothing without the key. */
function countPods(
  pods: readonly PodResult[],
  minimumObservations: number,
  seal: DocumentSeal,
): Record<MeasureName, CountedPod[]> {
  const included = pods.filter(({ summary }) => isIncluded(summary, minimumObservations));
  const named = included.map(({ owner, summary }) => {
    // Whoever shares under another spelling is still the same Pod.
    const webId = webIdOfRoot(owner.root);
    const pod = seal.fingerprint(`pod ${webId}`).subarray(0, 16).toString('base64url');
    return { webId, pod, measures: summary.measures };
  });
  return figuresOf((name) =>
    named.flatMap(({ webId, pod, measures }) => {
      const { average, count } = measures[name];
      if (average === null) return [];
      // Sums of the same readings differ in their last bits with the order of adding.
      const sum = (average * count).toFixed(3);
      const digest = seal.fingerprint(`${name} ${count} ${sum} ${webId}`).readUInt32BE();
      return [{ pod, average, digest }];
    }),
  );
}
