import { type Figures, figuresOf } from '../../analysis/figures.js';
import type { MeasureName } from '../../analysis/reading.js';
import { decideRelease, type ReleaseRules } from '../../analysis/release/decide-release.js';
import { recordWarnings } from '../../analysis/release/record-room.js';
import type { CountedPod } from '../../analysis/release/release-record.js';
import { type CohortSummary, isIncluded } from '../../analysis/summarise-cohort.js';
import { formatUtc } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import type { ReleaseEntry } from '../../documents/results-document.js';
import { webIdOfRoot } from '../../pod/addresses.js';
import type { DocumentSeal } from '../../pod/crypto/document-seal.js';
import { stoppedBy } from '../../solid/stopped-by.js';
import { raiseReleaseMark } from '../../store/release-mark.js';
import type { Connection } from '../connection.js';
import type { PodResult } from '../read/pod-result.js';
import {
  type KeptRelease,
  keepRelease,
  type ReleasePlace,
  readKeptRelease,
  releasePlace,
} from './kept-release.js';

/** The cohort figures that callers are sent in place of the exact ones. */
export interface PlannedRelease {
  figures: Figures;
  /** For the run documents and the operator's log. */
  warnings: string[];
  /**
   * To be called past the last checkpoint, before anything is sent: stores a new release. If that
   * fails, nothing may be sent; with nobody left to send to, nothing is released. Returns the entry
   * for the run documents.
   */
  keep(isSent: boolean): Promise<ReleaseEntry>;
}

export interface ReleaseTask {
  cohort: CohortSummary;
  /** The Pods of which something could be read. */
  pods: readonly PodResult[];
  now: Date;
  /** Whether anybody will be sent a figure. */
  isSent: boolean;
  /** Whether Pods or files may be missing because a server gave no answer. */
  isPartial: boolean;
  signal: AbortSignal;
}

/** Decides what this analysis sends out; null for the exact figures. */
export async function planRelease(
  config: Config,
  connection: Connection,
  task: ReleaseTask,
): Promise<PlannedRelease | null> {
  const rules = releaseRules(config);
  if (rules === null) return null;
  const place = releasePlace(connection, config.output);
  const reader = stoppedBy(place.client, task.signal);
  const kept = await readKeptRelease({ ...place, client: reader });
  if (kept.withheld === null) return plan(config, rules, place, kept, task);
  const none = figuresOf(() => null);
  const entry: ReleaseEntry = {
    mechanism: rules.mechanism,
    version: kept.version,
    withheld: kept.withheld,
    average_of_averages: none,
    released_at: none,
  };
  return {
    figures: none,
    warnings: [withheldWarning(kept.withheld)],
    keep: () => Promise.resolve(entry),
  };
}

/** Null when callers are sent exact figures, or none at all. */
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
  const input = {
    now: now.getTime(),
    averages: cohort.average_of_averages,
    pods: countPods(pods, config.analysis.minimum_observations, place.document.seal),
  };
  const decide = (mayRelease: boolean) =>
    decideRelease(kept.record, { ...input, mayRelease }, rules);
  const planned = decide(isSent && !isPartial);
  const warnings = recordWarnings(planned.record, input.now, rules);
  if (isSent && isPartial) {
    warnings.push('No new cohort figures were released, because a server gave no answer.');
  }
  return {
    figures: planned.figures,
    warnings,
    async keep(isStillSent) {
      const decision = isStillSent ? planned : decide(false);
      // Even an empty first record is stored, so that a missing one later shows that it was removed.
      const isNew = decision.record !== kept.record || kept.stored.sealed === null;
      const mustKeep = isNew && config.sharing.enabled;
      if (mustKeep) await keepRelease(place, kept, decision.record);
      // Another machine may have written this version.
      else await raiseReleaseMark(place.stateDir, place.webId, kept.version);
      return {
        mechanism: rules.mechanism,
        version: mustKeep ? kept.version + 1 : kept.version,
        average_of_averages: decision.figures,
        released_at: figuresOf((name) => {
          const at = decision.releasedAt[name];
          return at === null ? null : formatUtc(new Date(at));
        }),
        withheld: null,
      };
    },
  };
}

export function withheldWarning(reason: string): string {
  return `Cohort figures are withheld: ${reason}. Find out why, then run the mode \`release\` with --confirm to send out figures again.`;
}

/** The Pods that count for each measure, under keyed digests of their names. */
function countPods(
  pods: readonly PodResult[],
  minimumObservations: number,
  seal: DocumentSeal,
): Record<MeasureName, CountedPod[]> {
  const included = pods.filter(({ summary }) => isIncluded(summary, minimumObservations));
  const named = included.map(({ owner, summary }) => {
    // Another spelling is still the same Pod.
    const webId = webIdOfRoot(owner.root);
    const pod = seal.fingerprint(`pod ${webId}`).subarray(0, 16).toString('base64url');
    return { webId, pod, measures: summary.measures };
  });
  return figuresOf((name) =>
    named.flatMap(({ webId, pod, measures }) => {
      const { average, count } = measures[name];
      if (average === null) return [];
      // Rounded, because the last bits of a sum depend on the order of adding.
      const sum = (average * count).toFixed(3);
      const digest = seal.fingerprint(`${name} ${count} ${sum} ${webId}`).readUInt32BE();
      return [{ pod, average, digest }];
    }),
  );
}
