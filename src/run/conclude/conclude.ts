import { createHash } from 'node:crypto';
import {
  type Disclose,
  discloseCohort,
  discloseNothing,
} from '../../analysis/cohort-disclosure.js';
import type { Figures } from '../../analysis/figures.js';
import type { RandomBytes } from '../../analysis/release/discrete-laplace.js';
import {
  type CohortSummary,
  type CountedFigures,
  summariseCohort,
} from '../../analysis/summarise-cohort.js';
import { countOf } from '../../base/sentences.js';
import { studyPeriod } from '../../base/study-period.js';
import { dayOf } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import type { ReleaseEntry } from '../../documents/results-document.js';
import { type DigestOf, digestsOf } from '../../memory/digests.js';
import type { Claim, Memory, RememberedPod } from '../../memory/memory.js';
import { fitMemory } from '../../memory/room.js';
import { type AskedPod, type Settlement, settle } from '../../memory/settle.js';
import { fatesOfShares, type ShareFate } from '../../memory/share-fates.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import type { GatheredShares } from '../gather/gather-shares.js';
import { type Callers, isReadWhole, isServed, type PodReading } from '../read/read-task.js';
import { claimsOfPod } from './claims-of-pod.js';
import { releaseFigures, withheldEntry, withheldWarning } from './release-figures.js';
import { foreignKeyWarnings, settlementWarnings } from './settlement-warnings.js';

/** What steps 2 to 4 found; nothing of it changes any more. */
export interface Findings {
  shares: GatheredShares;
  readings: readonly PodReading[];
  before: Pick<FoundMemory, 'memory' | 'fingerprint'>;
  callers: Callers;
  now: Date;
  /** Draws the noise; tests set it to repeat a draw. */
  random?: RandomBytes;
}

/** The consequences of an analysis: the new memory, the figures to show and send, and the warnings. */
export interface Conclusion {
  /** What is remembered from now on. */
  memory: Memory;
  settlement: Settlement;
  /** Every Pod that shares something. */
  contributors: readonly PodReading[];
  /** The contributors of whom a file was read, or who are carried. The results document lists them. */
  listed: readonly PodReading[];
  cohort: CohortSummary;
  disclose: Disclose;
  release: ReleaseEntry | null;
  /** The pod_ids of Pods that are remembered, not only with shares set aside, or were read now: their charts stay. */
  charted: ReadonlySet<string>;
  /** Why no cohort figures are sent, and whether that stays so until the operator confirms. */
  withheld: { reason: string; untilConfirmed: boolean } | null;
  /** For the run documents. They include `notices`, which go to the operator's log as well. */
  warnings: readonly string[];
  notices: readonly string[];
}

/** Step 5, without clock or I/O. */
export function conclude(
  config: Config,
  { shares, readings, before, callers, now, random }: Findings,
): Conclusion {
  const digestOf = digestsOf(before);
  const asked = askedPods(readings, shares, digestOf);
  const settlement = settle(
    before.memory,
    asked,
    {
      digest: digestOfRules(config),
      windowDays: config.analysis.window_days,
      partialCohort: config.sharing.partial_cohort,
    },
    dayOf(now),
  );
  const { memory: settled, counted, carried } = settlement;
  const listed = readings.filter(
    ({ owner, filesRead }) => filesRead > 0 || carried.has(owner.root),
  );
  const cohort = summariseCohort(
    [...counted.values()],
    config.analysis.minimum_observations,
    listed.length,
  );
  const withheld = config.sharing.share_cohort_average ? whyWithheld(settlement) : null;
  const release = releaseFigures(config, settled.releases, {
    cohort,
    counted,
    now,
    digestOf,
    isSent: config.sharing.enabled && hasRecipients(callers, readings),
    withheld: withheld?.reason ?? null,
    random,
  });
  const fitted = fitMemory({ ...settled, releases: release.record }, (root) =>
    digestOf('root', root),
  );
  const isSharing = config.sharing.share_cohort_average && config.sharing.enabled;
  const notices = [
    ...(withheld?.untilConfirmed === true && isSharing ? [withheldWarning(withheld.reason)] : []),
    ...release.warnings,
  ];
  const gaveWay = readings
    .map(({ owner }) => owner.root)
    .filter((root) => fitted.gaveWay.has(digestOf('root', root)));
  return {
    memory: fitted.memory,
    settlement,
    contributors: readings,
    listed,
    cohort,
    disclose: chooseDisclosure(config, cohort, counted, release.figures),
    release: release.entry,
    charted: new Set([
      ...[...fitted.memory.pods.values()]
        .filter((pod) => hasMoreThan(shares.setAside.get(pod.root), pod))
        .map(({ root }) => shares.podIdOf(root)),
      ...readings.flatMap(({ owner, filesRead }) => (filesRead > 0 ? [owner.podId] : [])),
    ]),
    withheld,
    warnings: [
      ...notices,
      ...settlementWarnings({ settlement, shares, contributors: readings, gaveWay }),
      ...foreignKeyWarnings(asked, before.memory, digestOf),
    ],
    notices,
  };
}

/** `released` are the figures that everybody gets in place of the exact ones. */
function chooseDisclosure(
  { analysis, sharing }: Config,
  cohort: CohortSummary,
  counted: ReadonlyMap<string, CountedFigures>,
  released: Figures | null,
): Disclose {
  const nothing = discloseNothing(cohort);
  if (!sharing.share_cohort_average) return nothing;
  if (released !== null) return (roots) => ({ ...nothing(roots), average_of_averages: released });
  const rules = {
    minimumObservations: analysis.minimum_observations,
    minimumCohortPods: sharing.minimum_cohort_pods,
  };
  return (roots) => discloseCohort(cohort, counted, roots, rules);
}

/** The same conclusion without cohort figures, which must not leave if the memory could not be stored. */
export function withoutCohort(config: Config, conclusion: Conclusion, reason: string): Conclusion {
  return {
    ...conclusion,
    disclose: discloseNothing(conclusion.cohort),
    release: withheldEntry(config, reason),
    withheld: { reason, untilConfirmed: false },
  };
}

function whyWithheld({ memory, outdated }: Settlement): Conclusion['withheld'] {
  if (memory.withheld !== null) return { reason: memory.withheld, untilConfirmed: true };
  if (outdated.length === 0) return null;
  const reason = `${countOf(outdated.length, 'Pod')} could not be read in full since the rules of the analysis changed`;
  return { reason, untilConfirmed: false };
}

/** Whether anybody gets a result, and with it the figures of the cohort. */
function hasRecipients(callers: Callers, readings: readonly PodReading[]): boolean {
  return readings.some((reading) => isReadWhole(reading) && isServed(callers, reading.owner.webId));
}

function askedPods(
  readings: readonly PodReading[],
  { pods, setAside }: GatheredShares,
  digestOf: DigestOf,
): AskedPod[] {
  const sharesOf = new Map(pods.map(({ owner, shares }) => [owner.root, shares]));
  const fatesBeside = (root: string) =>
    [...(setAside.get(root) ?? [])].map((url): [string, ShareFate] => [url, { kind: 'set aside' }]);
  const asked = readings.map((reading) => {
    const { owner, filesRead, figures, notAsked } = reading;
    const shares = sharesOf.get(owner.root) ?? [];
    const fates = fatesOfShares(shares, reading);
    return {
      root: owner.root,
      digest: digestOf('root', owner.root),
      fates: new Map([...fates, ...fatesBeside(owner.root)]),
      isUnfinished: notAsked > 0,
      claims: claimsOfPod(reading, shares, digestOf),
      figures: filesRead === 0 ? null : figures,
    };
  });
  const others = [...setAside.keys()].filter((root) => !sharesOf.has(root));
  return [
    ...asked,
    ...others.map((root) => ({
      root,
      digest: digestOf('root', root),
      fates: new Map(fatesBeside(root)),
      isUnfinished: false,
      claims: new Map<string, Claim>(),
      figures: null,
    })),
  ];
}

function hasMoreThan(
  setAside: ReadonlySet<string> | undefined,
  { shares }: RememberedPod,
): boolean {
  return setAside === undefined || [...shares.keys()].some((url) => !setAside.has(url));
}

/** Figures of readings that were chosen by other rules are not comparable. */
export function digestOfRules({ analysis, data, sharing }: Config): string {
  const period = studyPeriod(analysis);
  const rules = [
    analysis.window_days,
    analysis.plausible,
    data.path_fragments,
    sharing.partial_cohort,
    // Without a period nothing is added: figures of versions that knew no periods stay comparable.
    ...(period === null ? [] : [period]),
  ];
  return createHash('sha256').update(JSON.stringify(rules)).digest('base64url').slice(0, 16);
}
