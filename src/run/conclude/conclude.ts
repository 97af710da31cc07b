import { createHash } from 'node:crypto';
import { figuresOf } from '../../analysis/figures.js';
import {
  type CohortSummary,
  type CountedFigures,
  summariseCohort,
} from '../../analysis/summarise-cohort.js';
import { dayOf } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import type { ReleaseEntry } from '../../documents/results-document.js';
import { type DigestOf, digestsOf } from '../../memory/digests.js';
import { acceptingServers, fatesOfShares } from '../../memory/fate.js';
import type { Memory } from '../../memory/memory.js';
import { givePodIds, type NamedPod } from '../../memory/pod-ids.js';
import { fitMemory } from '../../memory/room.js';
import { type AskedPod, type Settlement, settle } from '../../memory/settle.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { canonicalRoot, parseWebId, podIdOfRoot, webIdOfRoot } from '../../pod/addresses.js';
import { chartStem } from '../../store/chart-store.js';
import type { GatheredShares } from '../gather/gather-shares.js';
import type { PodReading } from '../read/read-task.js';
import { spellingOfPod } from './name-pods.js';
import { chooseDisclosure, type Disclose, releaseFigures } from './release-figures.js';
import { foreignKeyWarnings, settlementWarnings } from './settlement-warnings.js';

/** What steps 2 to 4 found; nothing of it changes any more. */
export interface Findings {
  shares: GatheredShares;
  readings: readonly PodReading[];
  /** The memory as the analysis found it. */
  before: Memory;
  /** The WebIDs that called, as they spell them; a null is run-once. */
  callers: readonly (string | null)[];
  now: Date;
}

export interface Circumstances {
  /** The memory as it is stored now, which others may have changed since. */
  stored: Pick<FoundMemory, 'memory' | 'fingerprint'>;
  /** Why no cohort figure is sent, besides what the memory says; null when nothing is wrong. */
  withheld: string | null;
  /** The callers whose calls were not stopped; a null is run-once. */
  goingOn: readonly (string | null)[];
}

/** Everything that follows from what was read: what is remembered, shown, sent and warned of. */
export interface Conclusion {
  /** What is remembered from now on. */
  memory: Memory;
  settlement: Settlement;
  /** Every Pod that shares something, with its WebID and pod_id as its owner spells them. */
  contributors: readonly PodReading[];
  /** The pod_id by the root as it is spelled, for contributors and callers. */
  podIds: ReadonlyMap<string, string>;
  cohort: CohortSummary;
  disclose: Disclose;
  release: ReleaseEntry | null;
  /** Whether the chart of this name is that of a Pod that shares nothing any more. */
  chartMustGo: (chartStem: string) => boolean;
  /** Why cohort figures are withheld; null when they are not. */
  withheld: string | null;
  /** For the run documents; those for the operator's log as well are `notices`. */
  warnings: readonly string[];
  notices: readonly string[];
}

/**
 * Step 5, without clock or I/O. It is done again past the last checkpoint, where calls were stopped or
 * others have changed the memory since.
 */
export function conclude(
  config: Config,
  { shares, readings, before, callers, now }: Findings,
  { stored: { memory: stored, fingerprint }, withheld, goingOn }: Circumstances,
): Conclusion {
  const digestOf = digestsOf({ fingerprint });
  const homeOrigin = new URL(config.analyser.server_url).origin;
  const spelled = readings.map((reading) => ({
    reading,
    spelling: spellingOfPod(reading, shares, stored),
  }));
  const settlement = settle(
    { before, stored },
    askedPods(spelled, shares, acceptingServers(readings, homeOrigin), digestOf),
    {
      digest: digestOfRules(config),
      windowDays: config.analysis.window_days,
      partialCohort: config.sharing.partial_cohort,
    },
    dayOf(now),
  );
  const { memory: settled, counted } = settlement;
  const named = givePodIds(
    namesOf(spelled, callers, settled),
    settled.podIds,
    {
      ofId: (podId) => digestOf('pod_id', chartStem(podId)),
      ofRoot: (root) => digestOf('root', root),
    },
    homeOrigin,
  );
  const contributors = spelled.map(({ reading, spelling }) => ({
    ...reading,
    owner: {
      ...reading.owner,
      webId: webIdOfRoot(spelling),
      podId: named.ids.get(spelling) ?? podIdOfRoot(spelling),
    },
  }));
  const cohort = summariseCohort([...counted.values()], config.analysis.minimum_observations);
  const reason = config.sharing.share_cohort_average ? (withheld ?? settled.withheld) : null;
  const release = releaseFigures(config, settled.releases, {
    cohort,
    counted,
    now,
    digestOf,
    isSent: config.sharing.enabled && hasRecipients(goingOn, readings),
    withheld: reason,
  });
  const fitted = fitMemory({ ...settled, podIds: named.given, releases: release.record }, (key) =>
    digestOf('key', key),
  );
  const notices = release.warnings;
  const warnings = settlementWarnings({
    settlement,
    shares,
    contributors,
    gaveWay: fitted.gaveWay,
  });
  return {
    memory: fitted.memory,
    settlement,
    contributors,
    podIds: named.ids,
    cohort,
    disclose: chooseDisclosure(config, cohort, counted, release.figures),
    release: release.entry,
    chartMustGo: ownedBy(settlement.left, fitted.memory, digestOf),
    withheld: reason,
    warnings: [...notices, ...warnings, ...foreignKeyWarnings(contributors, stored, digestOf)],
    notices,
  };
}

/** Whether something of one of the callers could be read, so that there are figures to send. */
function hasRecipients(
  callers: readonly (string | null)[],
  readings: readonly PodReading[],
): boolean {
  const roots = new Set(callers.map((webId) => (webId === null ? null : canonicalRoot(webId))));
  return readings.some(
    ({ owner, filesRead }) => filesRead > 0 && (roots.has(null) || roots.has(owner.root)),
  );
}

/** Whether the chart of this name belongs to one of these Pods, named by their roots. */
export function ownedBy(
  roots: readonly string[],
  { podIds }: Pick<Memory, 'podIds'>,
  digestOf: DigestOf,
): (chartStem: string) => boolean {
  if (roots.length === 0) return () => false;
  const owners = new Set(roots.map((root) => digestOf('root', root)));
  return (chartStem) => owners.has(podIds.get(digestOf('pod_id', chartStem)) ?? '');
}

type SpelledReading = { reading: PodReading; spelling: string };

function askedPods(
  spelled: readonly SpelledReading[],
  { pods }: GatheredShares,
  accepting: ReadonlySet<string>,
  digestOf: DigestOf,
): AskedPod[] {
  const urls = new Map(pods.map(({ owner, shares }) => [owner.root, shares.map(({ url }) => url)]));
  return spelled.map(({ reading, spelling }) => {
    const { owner, files, filesRead, summary } = reading;
    const opened = new Map<string, 'own' | 'refused'>();
    for (const { fate } of files) {
      if (fate.kind === 'read' && fate.key !== null) opened.set(digestOf('key', fate.key), 'own');
    }
    for (const { fate } of files) {
      if (fate.kind !== 'missing' || fate.key === undefined) continue;
      const digest = digestOf('key', fate.key);
      if (!opened.has(digest)) opened.set(digest, 'refused');
    }
    return {
      root: owner.root,
      spelling,
      fates: fatesOfShares(urls.get(owner.root) ?? [], reading, accepting),
      opened,
      figures: filesRead === 0 ? null : countedFigures(summary),
    };
  });
}

/** No more than is remembered. */
function countedFigures({ observation_count, measures }: CountedFigures): CountedFigures {
  const counted = figuresOf((name) => {
    const { average, count } = measures[name];
    return { average, count };
  });
  return { observation_count, measures: counted };
}

/** Pods of which something is remembered or was read; an address without any file displaces nobody. */
function namesOf(
  spelled: readonly SpelledReading[],
  callers: readonly (string | null)[],
  { pods }: Memory,
): NamedPod[] {
  const isNamed = ({ owner, filesRead }: PodReading) => filesRead > 0 || pods.has(owner.root);
  const names = spelled.flatMap(({ reading, spelling }) =>
    isNamed(reading) ? { root: reading.owner.root, spelling } : [],
  );
  const roots = new Set(names.map(({ root }) => root));
  for (const caller of callers) {
    const root = canonicalRoot(caller ?? '');
    const spelling = parseWebId(caller ?? '')?.root ?? null;
    if (root === null || spelling === null || !roots.has(root)) continue;
    if (names.every((name) => name.spelling !== spelling)) names.push({ root, spelling });
  }
  return names;
}

/** Figures of readings that were chosen by other rules are not comparable. */
function digestOfRules({ analysis, data }: Config): string {
  const rules = [analysis.window_days, analysis.plausible, data.path_fragments];
  return createHash('sha256').update(JSON.stringify(rules)).digest('base64url').slice(0, 16);
}
