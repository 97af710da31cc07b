import type { AnalysisRules } from '../../analysis/pod-aggregate.js';
import { PodAggregator } from '../../analysis/pod-aggregator.js';
import type { SharedFile, SharedPod } from '../discover/shared-files.js';
import { isCaller, isRecipient, type Recipients } from '../recipients.js';
import { type FileTrace, isTakenBack, type PodPart } from './pod-result.js';
import type { FileReader } from './read-shared-file.js';

/** Bounds the warnings, since anybody can add any number of entries about unreadable files. */
const MOST_WARNINGS = 100;
/** A caller is told of every skipped file of their own. */
const MOST_OWN_WARNINGS = 10_000;

/** A Pod whose files are being read; each file is summed up as it comes in and not kept. */
export class PodBeingRead {
  /** Received so far. */
  bytes = 0;
  readonly #mostWarnings: number;
  readonly #aggregator: PodAggregator;
  #filesToCome: number;
  /** In the order of the files, not in that of their arrival. */
  readonly #traces: FileTrace[] = [];
  readonly #warnings: Array<string | null> = [];

  constructor(
    private readonly shared: SharedPod,
    readonly position: number,
    { rules, recipients }: { rules: AnalysisRules; recipients: Recipients },
  ) {
    const { webId } = shared.owner;
    this.#mostWarnings = isCaller(recipients, webId) ? MOST_OWN_WARNINGS : MOST_WARNINGS;
    this.#filesToCome = shared.files.length;
    this.#aggregator = new PodAggregator({
      rules,
      keepsReadings: isRecipient(recipients, webId),
    });
  }

  get owner() {
    return this.shared.owner;
  }

  get isFull(): boolean {
    return this.#aggregator.isFull;
  }

  get isComplete(): boolean {
    return this.#filesToCome === 0;
  }

  async read(
    file: SharedFile,
    index: number,
    readFile: FileReader,
    signal: AbortSignal,
  ): Promise<void> {
    const { trace, read, warning } = await readFile(file, this, signal);
    this.#filesToCome -= 1;
    this.#traces[index] = trace;
    this.#warnings[index] = isTakenBack(trace) ? null : warning;
    if (read !== null) this.#aggregator.add(read);
  }

  end(): PodPart {
    const { aggregate, readings, isThinned } = this.#aggregator.end();
    const all = this.#warnings.filter((warning) => warning !== null);
    const warnings = all.slice(0, this.#mostWarnings);
    const moreWarnings = all.length - warnings.length;
    if (isThinned) {
      warnings.push(`${this.owner.webId}: the chart shows the latest ${readings.length} readings`);
    }
    return { aggregate, readings, traces: this.#traces, warnings, moreWarnings };
  }
}
