import { averagesOfLatest, type LatestAverages } from '../../analysis/home.js';
import { latestReadings, type Reading } from '../../analysis/reading.js';
import { type PodSummary, summarisePod } from '../../analysis/summarise-pod.js';
import {
  type AnalysisRules,
  addReadingSums,
  type CountedSums,
  countedSums,
} from '../../analysis/sums.js';
import { compare, present } from '../../base/lists.js';
import { countOf } from '../../base/sentences.js';
import { isFor } from '../../pod/outcome.js';
import { type Because, reasons } from '../../pod/reasons.js';
import { isGone, isNotAsked, isRevoked, isUnfinished } from '../table/fate.js';
import { askedOf, Folder, filesOf, type Pod, type Row } from '../table/row.js';

/** A Pod whose rows were asked for and judged, with what follows for the Pod alone. */
export interface PodReading extends LatestAverages, Pod {
  summary: PodSummary;
  /** What the Pod would add to the cohort, not rounded as in the summary; null when no file was read. */
  sums: CountedSums | null;
  /** The latest readings behind the sums. Empty for a Pod that is not served, so such a Pod has no latest averages. */
  readings: Reading[];
  filesRead: number;
  /** Shared files that do not count, except those that their owner has taken back. */
  filesSkipped: number;
  /** Of those skipped, files that were not asked for. */
  filesNotAsked: number;
  /** Of those skipped, new files that were read, and wait for others that were not asked for. */
  filesNotYet: number;
  /** Whether something was not asked for, or has no room, that no result can do without. */
  isUnfinished: boolean;
  warnings: string[];
}

/** Bounds the warnings, since anybody can add any number of entries about unreadable files. */
const MOST_WARNINGS = 100;

export function podReading(pod: Pod, rules: AnalysisRules): PodReading {
  const files = filesOf(pod);
  const read = present(files.map((file) => file.read));
  const readings = latestReadings(read.flatMap((file) => file.readings));
  const ofReadings = addReadingSums(read.map((file) => file.sums));
  const summary = summarisePod(ofReadings, rules);
  const isThinned = readings.length > 0 && readings.length < ofReadings.count;
  const drawn = `The chart shows the latest ${readings.length.toLocaleString('en')} readings.`;
  const countFor = (because: Because) =>
    files.filter(({ outcome }) => isFor(outcome, because)).length;
  return {
    ...pod,
    summary: isThinned ? { ...summary, notes: [...summary.notes, drawn] } : summary,
    sums: read.length === 0 ? null : countedSums(ofReadings),
    readings,
    ...averagesOfLatest(readings),
    filesRead: read.length,
    filesSkipped: files.filter((file) => file.read === null && !isRevoked(file)).length,
    filesNotAsked: countFor('not asked'),
    filesNotYet: countFor('not yet'),
    isUnfinished: isUnfinished(pod),
    warnings: warningsOf(pod),
  };
}

/** Whether a result can be made: a file was read, and all was asked for that it cannot do without. */
export function isReadable({ filesRead, isUnfinished }: PodReading): boolean {
  return filesRead > 0 && !isUnfinished;
}

function warningsOf(pod: Pod): string[] {
  const { webId } = pod.owner;
  const notAsked = askedOf(pod).filter(isNotAsked).length;
  const notYet = askedOf(pod).filter(({ outcome }) => isFor(outcome, 'not yet')).length;
  const late = `${countOf(notAsked, 'share')} of ${webId} could not be asked for. ${countOf(notYet, 'new file')} of theirs that could be read will count together with these.`;
  const ofRows = askedOf(pod)
    .filter((asked) => !(asked instanceof Folder ? isGone(asked) : isRevoked(asked)))
    .sort((one, other) => compare(one.url, other.url))
    .flatMap(warningOf);
  const all = notAsked === 0 ? ofRows : [late, ...ofRows];
  const more = all.length - MOST_WARNINGS;
  return more <= 0
    ? all
    : [...all.slice(0, MOST_WARNINGS), `… and ${more} more: files of ${webId}`];
}

function warningOf(asked: Row | Folder): string[] {
  const { url, outcome } = asked;
  if (outcome.kind !== 'not read' || reasons[outcome.because].operator !== 'warned') return [];
  const { reason, cause } = outcome;
  return asked instanceof Folder
    ? [`${url}: the shared folder was left out: ${cause || reason}`]
    : [`${url}: ${reason} (file skipped)${cause ? `: ${cause}` : ''}`];
}
