import {
  type AnalysisReport,
  hasRunDocument,
  reportWithoutResult,
} from '../run/analysis-report.js';
import { Call, cancelledReport, type NewCall, Turn } from './turn.js';

const tooMany = 'There are too many analyses waiting; try again later.';
const tooManyOfOne = 'There are too many analyses in hand for this WebID; wait for one to end.';

/** How long the turn in hand may go on when the service stops; systemd and containers kill it after 45 seconds. */
const GRACE_MS = 25_000;

export interface QueueLimits {
  callsPerTurn: number;
  /** The calls that wait, of everybody. */
  waiting: number;
  /** The calls of one WebID, running and waiting. */
  perCaller: number;
}

/** The run of latest.json: the last one of the analysis that was written last, whatever a clock said. */
interface LastRun {
  /** Empty before the first run. */
  id: string;
  at: string;
}

/** A call that a Cancel has found. */
interface FoundCall {
  /** Empty until its turn has the lock and the marker. */
  runId: string;
  /** If false, it has passed the last checkpoint, and its result is on its way. */
  isCancelled: boolean;
}

/**
 * Holds the calls until their answers have left; Cancel and Status ask the queue. A turn takes the calls that wait, at most
 * `callsPerTurn` of them. Who comes first and who gives way follows from the rank of a call among those of its
 * network address, so that no address fills a turn, or the queue, while others wait.
 */
export class AnalysisQueue {
  /** Those whose answer has not left, in order of arrival. */
  readonly #calls = new Set<Call>();
  #turn: Turn | null = null;
  #turnEnded: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  /** At the start, the one of latest.json. */
  lastRun: LastRun = { id: '', at: '' };

  constructor(
    private readonly limits: QueueLimits,
    /** Runs the analysis of a turn and answers all of its calls: `performTurn`. Never rejects. */
    private readonly runTurn: (turn: Turn) => Promise<unknown>,
  ) {}

  /** The number of calls whose answer has not left. */
  get inHand(): number {
    return this.#calls.size;
  }

  /** Resolves with the report for the caller. An abort of `hungUp` cancels this call alone. */
  async enqueue({ webId, peer, onTurn }: NewCall, hungUp: AbortSignal): Promise<AnalysisReport> {
    if (this.#isClosed) return cancelledReport('shutdown');
    if (hungUp.aborted) return cancelledReport('caller gone');
    const call = new Call(webId, peer, onTurn);
    const refused = this.#refusedFor(call);
    refused?.call.settle(reportWithoutResult('FAILED', refused.message));
    if (call.state.kind === 'answered') return call.state.report;
    const hangUp = () => void call.cancel('caller gone');
    hungUp.addEventListener('abort', hangUp, { once: true });
    this.#calls.add(call);
    this.#startNext();
    const report = await call.sent;
    hungUp.removeEventListener('abort', hangUp);
    this.#calls.delete(call);
    this.#noteLastRun(report);
    return report;
  }

  /** Answers those calls of the WebID that have not passed the last checkpoint. */
  cancel(webId: string): FoundCall[] {
    const found = this.#unanswered().filter((call) => call.webId === webId);
    return found.map((call) => ({ runId: call.runId, isCancelled: call.cancel('cancel') }));
  }

  /** Takes no new calls and cancels those that wait; the turn has `graceMs` to finish. Resolves when all has ended. */
  async drain(graceMs = GRACE_MS): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#waiting()) call.cancel('shutdown');
    const timer = setTimeout(() => this.#turn?.endWriting(), graceMs);
    await this.whenEmpty();
    clearTimeout(timer);
  }

  async whenEmpty(): Promise<void> {
    await Promise.all([...this.#calls].map(({ sent }) => sent));
    await this.#turnEnded;
  }

  #unanswered(): Call[] {
    return [...this.#calls].filter(({ state }) => state.kind !== 'answered');
  }

  #waiting(): Call[] {
    return [...this.#calls].filter(({ state }) => state.kind === 'waiting');
  }

  #startNext(): void {
    const waiting = this.#waiting();
    if (this.#turn !== null || waiting.length === 0) return;
    const rank = ranksOf(waiting);
    const inRotation = waiting.toSorted((one, other) => rank(one) - rank(other));
    const next = new Set(inRotation.slice(0, this.limits.callsPerTurn));
    this.#turn = new Turn(waiting.filter((call) => next.has(call)));
    this.#turnEnded = this.runTurn(this.#turn).then(() => {
      this.#turn = null;
      this.#startNext();
    });
  }

  /** Before the caller has the reply, so that Status tells nobody less than they know. */
  #noteLastRun(report: AnalysisReport): void {
    if (!hasRunDocument(report)) return;
    const { run_id: id, generated_at: at } = report;
    // As for latest.json, ids are compared only within one analysis, because a clock may have run ahead before.
    if (at === this.lastRun.at && id < this.lastRun.id) return;
    this.lastRun = { id, at };
  }

  /**
   * Which call is refused because another one has arrived: one that waits, or the arrived one itself, which then takes no
   * place, so that a flood does not push back the calls that wait. Null while there is room.
   */
  #refusedFor(arrived: Call): { call: Call; message: string } | null {
    const { perCaller } = this.limits;
    const unanswered = this.#unanswered();
    if (unanswered.filter(({ webId }) => webId === arrived.webId).length >= perCaller) {
      return { call: arrived, message: tooManyOfOne };
    }
    // Those of the running turn do not count: they cannot give way, and could be all from one address.
    const waiting = this.#waiting();
    if (waiting.length < this.limits.waiting) return null;
    const rank = ranksOf([...unanswered, arrived]);
    // The newest call of the busiest address.
    const leaving = waiting.reduce((last, call) => (rank(call) >= rank(last) ? call : last));
    return { call: rank(arrived) >= rank(leaving) ? arrived : leaving, message: tooMany };
  }
}

/** Tells how many calls of its network address came before a call; `calls` are in order of arrival. */
function ranksOf(calls: readonly Call[]): (call: Call) => number {
  const counts = new Map<string, number>();
  const ranks = new Map<Call, number>();
  for (const call of calls) {
    const rank = counts.get(call.peer) ?? 0;
    counts.set(call.peer, rank + 1);
    ranks.set(call, rank);
  }
  return (call) => ranks.get(call) ?? 0;
}
