import { createHash } from 'node:crypto';
import type { RandomBytes } from '../../analysis/release/discrete-laplace.js';
import { type CohortSummary, summariseCohort } from '../../analysis/summarise-cohort.js';
import { countOf } from '../../base/sentences.js';
import { studyPeriod } from '../../base/study-period.js';
import { dayOf } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import type { WithheldRecord } from '../../documents/results-document.js';
import type { Memory } from '../../memory/memory.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { type Served, serves } from '../assignment.js';
import { isReadable, type PodReading } from '../read/pod-reading.js';
import { hasEnded } from '../table/fate.js';
import type { Gathered } from '../table/gather-shares.js';
import { settle, sumsThatCount } from '../table/settle.js';
import { type ConcludedPod, isReported } from './concluded-pod.js';
import { releaseFigures } from './release-figures.js';
import { foreignKeyWarnings, settlementWarnings } from './settlement-warnings.js';
import { type Told, tellCohort } from './tell-cohort.js';

/** What steps 1 to 4 found, and for whom; nothing of it changes any more. */
export interface Findings {
  gathered: Pick<Gathered, 'notInView' | 'whyInboxUnread' | 'podIdOf'>;
  podReadings: readonly PodReading[];
  before: Pick<FoundMemory, 'memory' | 'keyedDigest'>;
  served: Served;
  now: Date;
  /** Draws the noise; tests set it to repeat a draw. */
  random?: RandomBytes;
}

/** What follows from what was read. */
export interface Conclusion {
  /** What is remembered from now on. */
  memory: Memory;
  /** Every Pod that shares something. */
  contributors: readonly ConcludedPod[];
  cohort: CohortSummary;
  /** What readers are told, if the memory can be stored. */
  told: Told;
  /** The pod_ids of Pods whose charts stay; null in a trial run, which remembers nothing. */
  charted: ReadonlySet<string> | null;
  /** Those of Pods whose last share has ended just now: their charts go even if that cannot be remembered. */
  withdrawn: readonly string[];
  /** For the run documents. */
  warnings: readonly string[];
}

/** Step 5, without clock or I/O. */
export function conclude(
  config: Config,
  { gathered, podReadings, before, served, now, random }: Findings,
): Conclusion {
  const { keyedDigest } = before;
  const settlement = settle(before.memory, podReadings, {
    rulesDigest: digestOfRules(config),
    windowDays: config.analysis.window_days,
    today: dayOf(now),
    keyedDigest,
  });
  const contributors = podReadings.map((pod): ConcludedPod => {
    const standing = settlement.standings.get(pod.owner.root);
    return { ...pod, standing: standing ?? { kind: 'empty' } };
  });
  const counted = sumsThatCount(settlement);
  const withheld = whyWithheld(settlement.memory, contributors);
  const { releases, release } = releaseFigures(config, settlement.memory.releases, {
    counted: counted.values(),
    now,
    hasRecipients:
      withheld === null && config.sharing.enabled && hasRecipients(served, podReadings),
    random,
  });
  const cohort = summariseCohort(
    [...counted.values()],
    config.analysis.minimum_observations,
    contributors.filter(isReported).length,
  );
  return {
    memory: { ...settlement.memory, releases },
    contributors,
    cohort,
    told: tellCohort(config, { cohort, counted, release, withheld }),
    charted: config.sharing.enabled ? chartedPods(gathered, settlement.memory, podReadings) : null,
    withdrawn: podReadings
      .filter((pod) => hasEnded(pod) && !settlement.memory.pods.has(pod.owner.root))
      .map(({ owner }) => owner.podId),
    warnings: [...settlementWarnings(contributors, settlement), ...foreignKeyWarnings(podReadings)],
  };
}

function whyWithheld(
  { withheld }: Memory,
  contributors: readonly ConcludedPod[],
): WithheldRecord | null {
  if (withheld !== null) return { reason: withheld, until_confirmed: true };
  const outdated = contributors.filter(({ standing }) => standing.kind === 'outdated').length;
  if (outdated === 0) return null;
  const reason = `${countOf(outdated, 'Pod')} could not be read in full since the rules of the analysis changed`;
  return { reason, until_confirmed: false };
}

/** Whether anybody gets a result, and with it the figures of the cohort. */
function hasRecipients(served: Served, podReadings: readonly PodReading[]): boolean {
  return podReadings.some((pod) => isReadable(pod) && serves(served, pod.owner.webId));
}

/**
 * A chart stays while its Pod is remembered, as every Pod is that was read now. A Pod that the configuration leaves out is
 * not asked: perhaps its owner has taken everything back, so its chart stays only while an entry names something in it.
 */
function chartedPods(
  { notInView, whyInboxUnread, podIdOf }: Findings['gathered'],
  memory: Memory,
  podReadings: readonly PodReading[],
): Set<string> {
  const asked = new Set(podReadings.map(({ owner }) => owner.root));
  const hasEntry = (root: string) =>
    whyInboxUnread !== null || notInView.some((url) => url.startsWith(root));
  const remembered = [...memory.pods.keys()].filter((root) => asked.has(root) || hasEntry(root));
  return new Set(remembered.map(podIdOf));
}

/** Figures of readings that were chosen by other rules are not comparable. */
function digestOfRules({ analysis, data }: Config): string {
  const rules = [analysis.window_days, data.path_fragments, studyPeriod(analysis)];
  return createHash('sha256').update(JSON.stringify(rules)).digest('base64url').slice(0, 16);
}
