import { averageAtHome } from '../../analysis/home.js';
import {
  type AnalysisRules,
  latestReadings,
  mergeAggregates,
} from '../../analysis/pod-aggregate.js';
import { summarisePod } from '../../analysis/summarise-pod.js';
import { compare } from '../../base/lists.js';
import type { Fate, FileFate, FolderFate } from '../../memory/fate.js';
import { notAsked } from './ask-pod.js';
import type { PodShares } from './pod-shares.js';
import { mayHaveEntry, type SharedFile } from './proof-of-share.js';
import { type Callers, isCaller, type PodReading } from './read-task.js';

/** Bounds the warnings, since anybody can add any number of entries about unreadable files. */
const MOST_WARNINGS = 100;
/** A caller is told of every skipped file of their own. */
const MOST_OWN_WARNINGS = 10_000;

/** Puts together what was read of a Pod. */
export function podReading(
  shares: PodShares,
  { rules, callers }: { rules: AnalysisRules; callers: Callers },
): PodReading {
  const { owner } = shares;
  const files = [...shares.files.values()].sort((one, other) => compare(one.url, other.url));
  const parts = [...shares.slices.values()].flatMap(({ reading }) => reading ?? []);
  const all = parts.flatMap(({ readings }) => readings);
  const readings = latestReadings(all);
  const isThinned = readings.length < all.length || parts.some((part) => part.isThinned);
  const skipped = files.filter(isSkipped);
  const summary = summarisePod(mergeAggregates(parts.map(({ aggregate }) => aggregate)), rules);
  const drawn = `The chart shows the latest ${readings.length.toLocaleString('en')} readings.`;
  return {
    owner,
    summary: isThinned ? { ...summary, notes: [...summary.notes, drawn] } : summary,
    readings,
    home: averageAtHome(readings),
    files: files.map(fileFate),
    folders: folderFates(shares),
    filesRead: files.filter(({ reading }) => reading?.fate.kind === 'read').length,
    filesSkipped: skipped.length,
    readOnlyWanted: skipped.filter(({ reading }) => reading?.readOnlyWanted === true).length,
    warnings: warningsOf(shares, files, isCaller(callers, owner.webId)),
  };
}

function isSkipped(file: SharedFile): boolean {
  return fateOf(file).kind !== 'read' && !isTakenBack(file);
}

/** Whether its owner has taken it back together with its entry, so that nobody misses it. */
function isTakenBack(file: SharedFile): boolean {
  return fateOf(file).kind === 'ended' && !mayHaveEntry(file);
}

function fileWarning({ url, reading }: SharedFile): string[] {
  if (reading === null) return [`${url}: ${notAsked.reason} (file skipped)`];
  return reading.warning === null ? [] : [reading.warning];
}

function fateOf({ reading }: SharedFile): Fate {
  return reading?.fate ?? notAsked.fate;
}

function fileFate(file: SharedFile): FileFate {
  const { url, folder, reading } = file;
  const openTo = reading?.openTo ?? 'unknown';
  return { url, listedIn: folder?.share.url ?? null, fate: fateOf(file), openTo };
}

function folderFates({ folders }: PodShares): FolderFate[] {
  return [...folders.values()].map(({ share: { url }, listing }) => ({
    url,
    fate: listing?.fate ?? notAsked.fate,
    openTo: listing?.openTo ?? 'unknown',
  }));
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
