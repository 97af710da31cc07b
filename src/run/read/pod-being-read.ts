import type { AnalysisRules } from '../../analysis/pod-aggregate.js';
import { MOST_READINGS, PodAggregator } from '../../analysis/pod-aggregator.js';
import type { SharedFile, SharedPod } from '../discover/shared-files.js';
import { isCaller, isRecipient, type Recipients } from '../recipients.js';
import type { FileTrace, PodPart } from './pod-result.js';
import type { FileOutcome, FileReader } from './read-shared-file.js';

/** Bounds the warnings, since anybody can add any number of entries about unreadable files. */
const MOST_WARNINGS = 100;
/** A caller is told of every skipped file of their own. */
const MOST_OWN_WARNINGS = 10_000;

/** A Pod whose files are being read; each file is summed up as it comes in and not kept. */
export class PodBeingRead {
  readonly #shared: SharedPod;
  readonly #isOwn: boolean;
  readonly #aggregator: PodAggregator;
  #filesToCome: number;
  #filesRead = 0;
  #filesSkipped = 0;
  #readOnlyWanted = 0;
  #unanswered = 0;
  /** In the order of the files, not in that of their arrival. */
  readonly #traces: FileTrace[] = [];
  readonly #warnings: Array<string | undefined> = [];

  constructor(
    shared: SharedPod,
    readonly position: number,
    { rules, recipients }: { rules: AnalysisRules; recipients: Recipients },
  ) {
    const { webId } = shared.owner;
    const keepsReadings = isRecipient(recipients, webId);
    this.#shared = shared;
    this.#isOwn = isCaller(recipients, webId);
    this.#filesToCome = shared.files.length;
    this.#aggregator = new PodAggregator({ rules, keepsReadings });
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
    const outcome = this.#aggregator.isFull
      ? notReadAnyMore(file)
      : await readFile(file, this.#shared.owner, signal);
    this.#filesToCome -= 1;
    if ('skipped' in outcome) {
      if (outcome.readOnlyWanted) this.#readOnlyWanted += 1;
      if (outcome.isUnanswered) this.#unanswered += 1;
      this.#traces[index] = { url: file.url, outcome: outcome.outcome };
      // The owner has taken the share back, with its entry.
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
