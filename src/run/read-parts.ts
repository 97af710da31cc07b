import type { ParsedReadings } from '../analysis/parse-readings.js';
import {
  type AnalysisRules,
  aggregateReadings,
  type PodAggregate,
} from '../analysis/pod-aggregate.js';
import type { Reading } from '../analysis/reading.js';
import { mapConcurrently } from '../base/map-concurrently.js';
import type { Owner } from '../pod/pod-of-resource.js';
import type { NotRead } from '../pod/read-resource.js';
import type { SharedFile, SharedPod } from './discover-shares.js';
import type { FileOutcome, FileReader } from './read-file.js';

/** What is left of the files of a Pod, or of some of them, once they have been read. */
export interface PodPart {
  filesRead: number;
  filesSkipped: number;
  aggregate: PodAggregate;
  /** The readings behind the figures, of the Pods whose chart is drawn; empty for the others. */
  readings: Reading[];
  /** Skipped because the Analyser may do more than read them. */
  readOnlyWanted: number;
  /** What came of each file. */
  traces: FileTrace[];
  /** One for each skipped file, as far as that is of use. */
  warnings: string[];
}

export type FileTrace =
  | {
      url: string;
      outcome: 'read';
      /** Null for what is not encrypted. */
      key: Buffer | null;
      /** The folder whose key it is; null for a key that was shared for the file itself. */
      folder: string | null;
    }
  | { url: string; outcome: NotRead };

export interface ReadPartsOptions {
  readFile: FileReader;
  rules: AnalysisRules;
  isDrawn: (owner: Owner) => boolean;
  /** Some Pod's files, as they were given, have all been read. */
  onPart?: ((done: number, all: number) => void) | undefined;
  signal: AbortSignal;
}

/** More than the client ever has in flight, so that one slow Pod keeps no other waiting. */
const FILES_AT_ONCE = 64;
/** Anybody can add entries about files that cannot be read, and without end. */
export const MOST_WARNINGS = 100;

/** Every file of every Pod, each counted as read or skipped; one part for each Pod given. */
export async function readParts(
  pods: readonly SharedPod[],
  options: ReadPartsOptions,
): Promise<PodPart[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const parts: PodPart[] = [];
  let done = 0;
  await mapConcurrently(filesOf(pods), FILES_AT_ONCE, async ({ file, index, pod }) => {
    try {
      pod.outcomes[index] = await options.readFile(file, pod.shared.owner, signal);
    } catch (error) {
      stop.abort(error);
      throw error;
    }
    pod.left -= 1;
    if (pod.left > 0) return;
    // A Pod is summed up as soon as it is complete, so that its readings can be let go.
    parts[pod.position] = sumUp(pod.shared, pod.outcomes.splice(0), options);
    done += 1;
    options.onPart?.(done, pods.length);
  });
  return parts;
}

interface OpenPod {
  shared: SharedPod;
  position: number;
  outcomes: FileOutcome[];
  left: number;
}

function* filesOf(
  pods: readonly SharedPod[],
): Generator<{ file: SharedFile; index: number; pod: OpenPod }> {
  for (const [position, shared] of pods.entries()) {
    const pod: OpenPod = { shared, position, outcomes: [], left: shared.files.length };
    for (const [index, file] of shared.files.entries()) yield { file, index, pod };
  }
}

function sumUp(
  { owner, files }: SharedPod,
  outcomes: FileOutcome[],
  { rules, isDrawn }: ReadPartsOptions,
): PodPart {
  const all: ParsedReadings = { readings: [], incomplete: 0 };
  const warnings: string[] = [];
  const traces: FileTrace[] = [];
  let filesRead = 0;
  let filesSkipped = 0;
  let readOnlyWanted = 0;
  for (const [index, outcome] of outcomes.entries()) {
    const { url = '', isAnnounced = true } = files[index] ?? {};
    if ('skipped' in outcome) {
      if (outcome.readOnlyWanted) readOnlyWanted += 1;
      traces.push({ url, outcome: outcome.outcome });
      // Its owner has taken it back, and its entry with it.
      if (!isAnnounced && outcome.outcome !== 'unknown') continue;
      filesSkipped += 1;
      if (warnings.length < MOST_WARNINGS) warnings.push(outcome.skipped);
      continue;
    }
    const { key, folder } = outcome.openedBy ?? { key: null, folder: null };
    traces.push({ url, outcome: 'read', key, folder });
    filesRead += 1;
    for (const reading of outcome.read.readings) all.readings.push(reading);
    all.incomplete += outcome.read.incomplete;
  }
  const { aggregate, counted } = aggregateReadings(all, rules);
  const readings = isDrawn(owner) ? counted : [];
  return { filesRead, filesSkipped, aggregate, readings, readOnlyWanted, traces, warnings };
}
