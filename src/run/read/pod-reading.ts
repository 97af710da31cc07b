import { averagesOfLatest } from '../../analysis/home.js';
import { MOST_ENTRIES } from '../../analysis/parse-readings.js';
import {
  type AnalysisRules,
  latestReadings,
  mergeAggregates,
} from '../../analysis/pod-aggregate.js';
import { countedFigures } from '../../analysis/summarise-cohort.js';
import { summarisePod } from '../../analysis/summarise-pod.js';
import { compare } from '../../base/lists.js';
import { hasEnded, isFor, notAsked, type Outcome } from '../../pod/outcome.js';
import type { PodShares } from './pod-shares.js';
import { type Callers, type FileOutcome, isCaller, type PodReading } from './read-task.js';
import { lends, mayHaveEntry, outcomeOf, type SharedFile } from './shared-file.js';

/** Bounds the warnings, since anybody can add any number of entries about unreadable files. */
const MOST_WARNINGS = 100;
/** More for a caller's own Pod, because callers should learn of their skipped files. */
const MOST_OWN_WARNINGS = 10_000;

/** Puts together what was read of a Pod. */
export function podReading(
  shares: PodShares,
  { rules, callers }: { rules: AnalysisRules; callers: Callers },
): PodReading {
  const { owner } = shares;
  const files = [...shares.files.values()].sort((one, other) => compare(one.url, other.url));
  const parts = files.flatMap(({ reading }) => reading ?? []);
  const all = parts.flatMap(({ readings }) => readings);
  const readings = latestReadings(all);
  const isThinned = shares.isThinned || readings.length < all.length;
  const sums = mergeAggregates(parts.flatMap((part) => part.sums ?? []));
  const summary = summarisePod(sums, rules);
  const drawn = `The chart shows the latest ${readings.length.toLocaleString('en')} readings.`;
  const folders = [...shares.folders.values()].map(({ share: { url }, listing }) => ({
    url,
    outcome: listing?.outcome ?? notAsked,
  }));
  const unasked = [...files.map(fileOutcome), ...folders.map(({ outcome }) => outcome)];
  return {
    owner,
    summary: isThinned ? { ...summary, notes: [...summary.notes, drawn] } : summary,
    figures: countedFigures(sums),
    readings,
    ...averagesOfLatest(readings),
    files: files.map(describeFile),
    folders,
    filesRead: files.filter((file) => fileOutcome(file).kind === 'read').length,
    filesSkipped: files.filter(isSkipped).length,
    notAsked: unasked.filter((outcome) => isFor(outcome, 'not asked')).length,
    warnings: warningsOf(shares, files, isCaller(callers, owner.webId)),
  };
}

function fileOutcome(file: SharedFile): Outcome {
  return outcomeOf(file) ?? notAsked;
}

function isSkipped(file: SharedFile): boolean {
  return fileOutcome(file).kind === 'not read' && !isTakenBack(file);
}

/** Whether the owner revoked the file and removed its entry. Then no warning is due. */
function isTakenBack(file: SharedFile): boolean {
  return hasEnded(fileOutcome(file)) && !mayHaveEntry(file);
}

function describeFile(file: SharedFile): FileOutcome {
  const { url, folder } = file;
  return {
    url,
    listedIn: folder?.share.url ?? null,
    outcome: fileOutcome(file),
    provenShares: provenShares(file),
  };
}

/** The shares that hold the key that opened the file: the key proves only these. For plaintext, all its shares. */
function provenShares(file: SharedFile): string[] {
  const outcome = outcomeOf(file);
  if (outcome?.kind !== 'read') return [];
  const { key } = outcome;
  const { share, folder } = file;
  const isOf = (keys: readonly Buffer[]) => key === null || keys.some((each) => each.equals(key));
  return [
    ...(share !== null && isOf(share.keys) ? [share.url] : []),
    ...(folder !== null && lends(folder) && isOf(folder.share.keys) ? [folder.share.url] : []),
  ];
}

function fileWarning(file: SharedFile): string[] {
  const { url, reading } = file;
  const outcome = fileOutcome(file);
  if (outcome.kind === 'not read') {
    const { reason, cause } = outcome;
    return [`${url}: ${reason} (file skipped)${cause ? `: ${cause}` : ''}`];
  }
  return reading?.isCut === true
    ? [`${url}: only its first ${MOST_ENTRIES} entries were read`]
    : [];
}

function warningsOf(shares: PodShares, files: readonly SharedFile[], isOwn: boolean): string[] {
  const { owner, folders, warnings } = shares;
  const ofFolders = [...folders.values()].flatMap(({ listing }) => listing?.warning ?? []);
  const ofFiles = files.filter((file) => !isTakenBack(file)).flatMap(fileWarning);
  const most = isOwn ? MOST_OWN_WARNINGS : MOST_WARNINGS;
  const all = [...warnings, ...ofFolders, ...ofFiles];
  const more = all.length - most;
  if (more <= 0) return all;
  return [...all.slice(0, most), `… and ${more} more warnings about files of ${owner.webId}`];
}
