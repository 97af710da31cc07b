import type { Queue } from 'bullmq';
import { stopError } from '../queue/stop-reasons.js';
import { queueOf } from './presence.js';
import { type BullWorker, LOCK_MS, type SharedRedis } from './shared-redis.js';

interface TurnHolder {
  /** `hold` throws when another may have the turn by now. */
  serve(hold: () => Promise<void>): Promise<void>;
  /** BullMQ has renewed the lock. */
  onRenewed(): void;
  onLost(): void;
  onEnd(): void;
}

/**
 * The turn is a job of a queue with one job at a time over all processes and versions, and its lock,
 * which BullMQ renews, is what its holder has.
 */
export class Turns {
  isHeld = false;
  readonly #queue: Queue;
  readonly #worker: BullWorker;

  constructor(
    private readonly redis: SharedRedis,
    version: string,
    private readonly holder: TurnHolder,
  ) {
    this.#queue = redis.openQueue(queueOf.service);
    this.#worker = redis.openWorker(
      queueOf.service,
      async ({ id = '' }, token = '') => await this.#take(id, token),
      // Whoever dies with the turn does not make it fail: another gets it.
      { name: version, maxStalledCount: Number.MAX_SAFE_INTEGER },
    );
    this.#worker.on('locksRenewed', () => holder.onRenewed());
    this.#worker.on('lockRenewalFailed', () => holder.onLost());
  }

  /** BullMQ keeps one turn, and one more for what comes while that is active. */
  async ask(): Promise<void> {
    await this.redis.ask(async () => {
      // Redis may have lost it.
      await this.#queue.setGlobalConcurrency(1);
      const deduplication = { id: 'turn', keepLastIfActive: true };
      await this.#queue.add('turn', {}, { deduplication });
    });
  }

  /** A process takes turns while it wants them, and lets others go first after each. */
  want(isWanted: boolean): void {
    void (isWanted && !this.isHeld ? this.#worker.resume() : this.#worker.pause(true));
  }

  async #take(id: string, token: string): Promise<string> {
    this.isHeld = true;
    // So that BullMQ does not hand the next turn to this process at once when this one ends.
    this.want(false);
    try {
      await this.holder.serve(async () => {
        const job = await this.redis.ask(() => this.#queue.getJob(id));
        const held = job && (await this.redis.ask(() => job.extendLock(token, LOCK_MS)));
        if (held !== 1) throw stopError('turn lost');
      });
    } finally {
      this.isHeld = false;
      // When BullMQ has ended the job.
      setImmediate(() => this.holder.onEnd());
    }
    return '';
  }
}
