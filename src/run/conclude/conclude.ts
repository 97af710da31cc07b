import { createHash } from 'node:crypto';
import type { RandomBytes } from '../../analysis/release/discrete-laplace.js';
import { type CohortSummary, summariseCohort } from '../../analysis/summarise-cohort.js';
import { countOf } from '../../base/sentences.js';
import { studyPeriod } from '../../base/study-period.js';
import { dayOf } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import type { ReleaseRecord } from '../../documents/results-document.js';
import { digestsOf, type Fingerprint } from '../../memory/digests.js';
import type { Memory } from '../../memory/memory.js';
import { isReadable, type PodReading } from '../read/pod-reading.js';
import { type Callers, isServed } from '../read/read-task.js';
import type { Gathered } from '../table/gather-shares.js';
import { fitMemory } from '../table/room.js';
import { type Settlement, settle } from '../table/settle.js';
import { releaseFigures } from './release-figures.js';
import { foreignKeyWarnings, settlementWarnings } from './settlement-warnings.js';

/** What steps 2 to 4 found; nothing of it changes any more. */
export interface Findings {
  gathered: Pick<Gathered, 'notWanted' | 'unreadInbox' | 'podIdOf'>;
  readings: readonly PodReading[];
  before: Fingerprint & { memory: Memory };
  callers: Callers;
  now: Date;
  /** Draws the noise; tests set it to repeat a draw. */
  random?: RandomBytes;
}

/** Why no cohort figures are sent. */
export interface Withheld {
  reason: string;
  /** Whether that stays so until the operator confirms. */
  untilConfirmed: boolean;
}

/** What follows from what was read. Which of it leaves is decided in tell-cohort.ts, when the memory was stored. */
export interface Conclusion {
  /** What is remembered from now on. */
  memory: Memory;
  settlement: Settlement;
  /** Every Pod that shares something. */
  contributors: readonly PodReading[];
  /** The contributors of whom a file was read, or who are carried. The results document lists them. */
  listed: readonly PodReading[];
  cohort: CohortSummary;
  /** The figures that stand in for the exact ones; null without a configured release. */
  release: ReleaseRecord | null;
  /** Why no cohort figures may be sent. */
  withheld: Withheld | null;
  /** The pod_ids of Pods whose charts stay; null in a trial run, which remembers nothing. */
  charted: ReadonlySet<string> | null;
  /** For the run documents. */
  warnings: readonly string[];
}

/** Step 5, without clock or I/O. */
export function conclude(
  config: Config,
  { gathered, readings, before, callers, now, random }: Findings,
): Conclusion {
  const digestOf = digestsOf(before);
  const settlement = settle(before.memory, readings, {
    digest: digestOfRules(config),
    windowDays: config.analysis.window_days,
    today: dayOf(now),
    digestOf,
  });
  const { memory: settled, counted, carried } = settlement;
  const listed = readings.filter(
    ({ owner, filesRead }) => filesRead > 0 || carried.has(owner.root),
  );
  const { minimum_observations } = config.analysis;
  const withheld = whyWithheld(settlement);
  const { releases, record } = releaseFigures(config, settled.releases, {
    counted: counted.values(),
    now,
    isSent: withheld === null && config.sharing.enabled && hasRecipients(callers, readings),
    random,
  });
  const fitted = fitMemory({ ...settled, releases }, (root) => digestOf('root', root));
  return {
    memory: fitted.memory,
    settlement,
    contributors: readings,
    listed,
    cohort: summariseCohort([...counted.values()], minimum_observations, listed.length),
    release: record,
    withheld,
    charted: config.sharing.enabled ? chartedPods(gathered, fitted.memory, readings) : null,
    warnings: [
      ...settlementWarnings(settlement, readings, fitted.gaveWay),
      ...foreignKeyWarnings(readings),
    ],
  };
}

function whyWithheld({ memory, outdated }: Settlement): Withheld | null {
  if (memory.withheld !== null) return { reason: memory.withheld, untilConfirmed: true };
  if (outdated.length === 0) return null;
  const reason = `${countOf(outdated.length, 'Pod')} could not be read in full since the rules of the analysis changed`;
  return { reason, untilConfirmed: false };
}

/** Whether anybody gets a result, and with it the figures of the cohort. */
function hasRecipients(callers: Callers, readings: readonly PodReading[]): boolean {
  return readings.some((reading) => isReadable(reading) && isServed(callers, reading.owner.webId));
}

/**
 * A chart stays while its Pod is remembered or was read now. A Pod that the configuration leaves out is not asked:
 * perhaps its owner has taken everything back, so its chart stays only while an entry names something in the Pod.
 */
function chartedPods(
  { notWanted, unreadInbox, podIdOf }: Findings['gathered'],
  memory: Memory,
  readings: readonly PodReading[],
): Set<string> {
  const asked = new Set(readings.map(({ owner }) => owner.root));
  const isNamed = (root: string) =>
    unreadInbox !== null || notWanted.some((url) => url.startsWith(root));
  const remembered = [...memory.pods.keys()].filter((root) => asked.has(root) || isNamed(root));
  return new Set([
    ...remembered.map(podIdOf),
    ...readings.flatMap(({ owner, filesRead }) => (filesRead > 0 ? [owner.podId] : [])),
  ]);
}

/** Figures of readings that were chosen by other rules are not comparable. */
function digestOfRules({ analysis, data }: Config): string {
  const rules = [analysis.window_days, data.path_fragments, studyPeriod(analysis)];
  return createHash('sha256').update(JSON.stringify(rules)).digest('base64url').slice(0, 16);
}
