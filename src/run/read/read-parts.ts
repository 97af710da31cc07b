import type { AnalysisRules } from '../../analysis/pod-aggregate.js';
import { MOST_READINGS, PodAggregator } from '../../analysis/pod-aggregator.js';
import { mapConcurrently } from '../../base/map-concurrently.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import type { SharedFile, SharedPod } from '../discover/shared-files.js';
import { byServer } from './by-server.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { FileTrace, PodPart } from './pod-result.js';
import type { FileOutcome, FileReader } from './read-shared-file.js';

export interface ReadPartsOptions {
  readFile: FileReader;
  rules: AnalysisRules;
  isDrawn: (owner: Owner) => boolean;
  /** Somebody who waits for the outcome is told of every skipped file. */
  isCaller: (owner: Owner) => boolean;
  /** Some Pod's files, as they were given, have all been read. */
  onPart?: ((done: number, all: number) => void) | undefined;
  breaker: CircuitBreaker;
  /** Otherwise as many as keep the client busy. */
  filesAtOnce?: number;
  signal: AbortSignal;
}

/** More than the client ever has in flight, so that one slow Pod keeps no other waiting. */
const FILES_AT_ONCE = 64;
/** Anybody can add entries about files that cannot be read, and without end. */
const MOST_WARNINGS = 100;
const MOST_OWN_WARNINGS = 10_000;

/** Every file of every Pod, each counted as read or skipped; one part for each Pod given. */
export async function readParts(
  pods: readonly SharedPod[],
  options: ReadPartsOptions,
): Promise<PodPart[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const parts: PodPart[] = [];
  let done = 0;
  const read = async ({ file, index, pod }: OpenFile, until: AbortSignal) => {
    try {
      await pod.read(file, index, options.readFile, until);
    } catch (error) {
      stop.abort(error);
      throw error;
    }
    if (!pod.isComplete) return;
    parts[pod.position] = pod.end();
    done += 1;
    options.onPart?.(done, pods.length);
  };
  const { breaker, filesAtOnce = FILES_AT_ONCE } = options;
  const urlOf = ([, { owner }]: [number, SharedPod]) => owner.root;
  const othersUntil = breaker.othersUntil.files;
  await byServer(
    pods.entries(),
    { urlOf, breaker, othersUntil, atOnce: filesAtOnce, signal },
    (there, atOnce, until) =>
      mapConcurrently(filesOf(there, options), atOnce, (file) => read(file, until)),
  );
  return parts;
}

interface OpenFile {
  file: SharedFile;
  index: number;
  pod: OpenPod;
}

function* filesOf(
  pods: readonly (readonly [number, SharedPod])[],
  options: ReadPartsOptions,
): Generator<OpenFile> {
  for (const [position, shared] of pods) {
    const pod = new OpenPod(shared, position, options);
    for (const [index, file] of shared.files.entries()) yield { file, index, pod };
  }
}

/** A Pod whose files are being read. Each file is summed up as it comes in, and let go. */
class OpenPod {
  readonly #shared: SharedPod;
  readonly #isOwn: boolean;
  readonly #aggregator: PodAggregator;
  #left: number;
  #filesRead = 0;
  #filesSkipped = 0;
  #readOnlyWanted = 0;
  #unanswered = 0;
  /** In the order of the files, whatever the order in which they come in. */
  readonly #traces: FileTrace[] = [];
  readonly #warnings: Array<string | undefined> = [];

  constructor(
    shared: SharedPod,
    readonly position: number,
    { rules, isDrawn, isCaller }: ReadPartsOptions,
  ) {
    const keepsReadings = isDrawn(shared.owner);
    this.#shared = shared;
    this.#isOwn = isCaller(shared.owner);
    this.#left = shared.files.length;
    this.#aggregator = new PodAggregator({ rules, keepsReadings });
  }

  get isComplete(): boolean {
    return this.#left === 0;
  }

  async read(
    file: SharedFile,
    index: number,
    readFile: FileReader,
    signal: AbortSignal,
  ): Promise<void> {
    const outcome = this.#aggregator.isFull
      ? notReadAnyMore(file)
      : await readFile(file, this.#shared.owner, signal);
    this.#left -= 1;
    if ('skipped' in outcome) {
      if (outcome.readOnlyWanted) this.#readOnlyWanted += 1;
      if (outcome.isUnanswered) this.#unanswered += 1;
      this.#traces[index] = { url: file.url, outcome: outcome.outcome };
      // Its owner has taken it back, and its entry with it.
      if (!file.isAnnounced && outcome.outcome !== 'unknown') return;
      this.#filesSkipped += 1;
      this.#warnings[index] = outcome.skipped;
      return;
    }
    const { read, openedBy, warning } = outcome;
    const { key, folder } = openedBy ?? { key: null, folder: null };
    this.#filesRead += 1;
    this.#aggregator.add(read);
    this.#traces[index] = { url: file.url, outcome: 'read', key, folder };
    if (warning !== null) this.#warnings[index] = warning;
  }

  end(): PodPart {
    const { aggregate, readings, isThinned } = this.#aggregator.end();
    const { owner } = this.#shared;
    const warnings = this.#warnings.filter((warning) => warning !== undefined);
    const most = this.#isOwn ? MOST_OWN_WARNINGS : MOST_WARNINGS;
    const shown = warnings.slice(0, most);
    if (isThinned) {
      shown.push(`${owner.webId}: the chart shows the latest ${readings.length} readings`);
    }
    return {
      filesRead: this.#filesRead,
      filesSkipped: this.#filesSkipped,
      aggregate,
      readings,
      readOnlyWanted: this.#readOnlyWanted,
      unanswered: this.#unanswered,
      traces: this.#traces,
      warnings: shown,
      moreWarnings: Math.max(0, warnings.length - most),
    };
  }
}

function notReadAnyMore({ url }: SharedFile): FileOutcome {
  const reason = `the files of this Pod hold more than ${MOST_READINGS} readings`;
  return {
    skipped: `${url}: ${reason} (file skipped)`,
    outcome: 'unknown',
    readOnlyWanted: false,
    isUnanswered: false,
  };
}
