import { type AnalysisRules, mergeAggregates } from '../../analysis/pod-aggregate.js';
import { latestReadings } from '../../analysis/pod-aggregator.js';
import { summarisePod } from '../../analysis/summarise-pod.js';
import type { Fate, FileFate, FolderFate } from '../../memory/fate.js';
import { isCaller, type Recipients } from '../recipients.js';
import { compare, hasEntry, type PodShares, type SharedFile } from './pod-shares.js';
import type { FileReading } from './read-files.js';
import type { PodReading } from './reading.js';

/** Bounds the warnings, since anybody can add any number of entries about unreadable files. */
const MOST_WARNINGS = 100;
/** A caller is told of every skipped file of their own. */
const MOST_OWN_WARNINGS = 10_000;

const notAsked: FileReading & { fate: Fate } = {
  fate: { kind: 'not asked' },
  openTo: 'unknown',
  warning: null,
  readOnlyWanted: false,
};

/** Puts together what was read of a Pod. */
export function podReading(
  shares: PodShares,
  { rules, recipients }: { rules: AnalysisRules; recipients: Recipients },
): PodReading {
  const { owner } = shares;
  const files = [...shares.files.values()].sort((one, other) => compare(one.url, other.url));
  const parts = [...shares.slices.values()].flatMap(({ reading }) => reading ?? []);
  const all = parts.flatMap(({ readings }) => readings);
  const readings = parts.length > 1 ? latestReadings(all) : all;
  const isThinned = readings.length < all.length || parts.some((part) => part.isThinned);
  const skipped = files.filter(isSkipped);
  return {
    owner,
    summary: summarisePod(mergeAggregates(parts.map(({ aggregate }) => aggregate)), rules),
    readings,
    files: files.map(fileFate),
    folders: folderFates(shares),
    filesRead: files.filter(({ reading }) => reading?.fate.kind === 'read').length,
    filesSkipped: skipped.length,
    readOnlyWanted: skipped.filter(({ reading }) => reading?.readOnlyWanted === true).length,
    warnings: [
      ...warningsOf(shares, files, isCaller(recipients, owner.webId)),
      ...(isThinned
        ? [`${owner.webId}: the chart shows the latest ${readings.length} readings`]
        : []),
    ],
  };
}

/** One that its owner has taken back together with its entry is missed by nobody. */
function isSkipped(file: SharedFile): boolean {
  const { kind } = (file.reading ?? notAsked).fate;
  return kind !== 'read' && !(kind === 'ended' && !hasEntry(file));
}

function fileFate({ url, folder, reading }: SharedFile): FileFate {
  const { fate, openTo } = reading ?? notAsked;
  return { url, listedIn: folder?.share.url ?? null, fate, openTo };
}

function folderFates({ folders }: PodShares): FolderFate[] {
  return [...folders.values()].map(({ share: { url }, listing }) => {
    const { fate, openTo } = listing ?? notAsked;
    return { url, fate, openTo };
  });
}

function warningsOf(shares: PodShares, files: readonly SharedFile[], isOwn: boolean): string[] {
  const { owner, folders, warnings } = shares;
  const ofFolders = [...folders.values()].flatMap(({ listing }) => listing?.warning ?? []);
  const ofFiles = files.flatMap((file) => {
    const warning = file.reading?.warning ?? null;
    const isToSay = isSkipped(file) || file.reading?.fate.kind === 'read';
    return warning !== null && isToSay ? [warning] : [];
  });
  const most = isOwn ? MOST_OWN_WARNINGS : MOST_WARNINGS;
  const all = [...warnings, ...ofFolders, ...ofFiles];
  const more = all.length - most;
  if (more <= 0) return all;
  return [...all.slice(0, most), `… and ${more} more files of ${owner.webId} (skipped)`];
}
