import type { ParsedReadings } from '../analysis/parse-readings.js';
import type { Reading } from '../analysis/reading.js';
import { type AnalysisRules, summarisePod } from '../analysis/summarise-pod.js';
import type { PodSummary } from '../analysis/summary.js';
import { mapConcurrently } from '../base/map-concurrently.js';
import type { Owner } from '../pod/pod-of-resource.js';
import type { SharedFile, SharedPod } from './discover-shares.js';
import type { FileOutcome, FileReader } from './read-file.js';

export interface PodResult {
  owner: Owner;
  filesRead: number;
  filesSkipped: number;
  summary: PodSummary;
  /** The readings behind the figures, of the Pods whose chart is drawn; empty for the others. */
  readings: Reading[];
  warnings: string[];
}

export interface ReadPodsOptions {
  readFile: FileReader;
  rules: AnalysisRules;
  isDrawn: (owner: Owner) => boolean;
  onPod?: ((done: number, all: number) => void) | undefined;
  signal: AbortSignal;
}

/** More than the client ever has in flight, so that one slow Pod keeps no other waiting. */
const FILES_AT_ONCE = 64;

/** Step 4: every file of every Pod, each counted as read or skipped. */
export async function readPods(
  pods: readonly SharedPod[],
  options: ReadPodsOptions,
): Promise<PodResult[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const results: PodResult[] = [];
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
    results[pod.position] = summarise(pod.shared, pod.outcomes.splice(0), options);
    done += 1;
    options.onPod?.(done, pods.length);
  });
  return results;
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

function summarise(
  pod: SharedPod,
  outcomes: FileOutcome[],
  { rules, isDrawn }: ReadPodsOptions,
): PodResult {
  const all: ParsedReadings = { readings: [], incomplete: 0 };
  const warnings: string[] = [];
  for (const outcome of outcomes) {
    if ('skipped' in outcome) {
      warnings.push(outcome.skipped);
      continue;
    }
    for (const reading of outcome.read.readings) all.readings.push(reading);
    all.incomplete += outcome.read.incomplete;
  }
  const { summary, counted } = summarisePod(all, rules);
  return {
    owner: pod.owner,
    filesRead: outcomes.length - warnings.length,
    filesSkipped: warnings.length,
    summary,
    readings: isDrawn(pod.owner) ? counted : [],
    warnings,
  };
}

/** Anybody can add entries about files that cannot be read, and without end. */
const MOST_WARNINGS = 100;

/** One for each skipped file, as far as that is of use. */
export function warningsOf({ owner, warnings }: PodResult): string[] {
  if (warnings.length <= MOST_WARNINGS) return warnings;
  const more = warnings.length - MOST_WARNINGS;
  return [
    ...warnings.slice(0, MOST_WARNINGS),
    `… and ${more} more files of ${owner.webId} (skipped)`,
  ];
}
