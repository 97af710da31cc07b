import { randomUUID } from 'node:crypto';
import { AnalyserError } from '../base/errors.js';
import { QueueFullError, type RecordedRun } from '../queue/analysis-queue.js';
import type { Crew } from './crew.js';
import { type Applicant, type Line, type LineLimits, waitForTurn } from './line.js';
import { LEASE_MS, LineStore, parseRecorded, type Standing } from './line-store.js';
import { repeat } from './repeat.js';
import type { RunControl } from './run-control.js';
import { redisAway, type SharedRedis } from './shared-redis.js';
import type { SharedSecret } from './shared-secret.js';
import { TurnKeeper } from './turn-keeper.js';

const BEAT_MS = 1_000;

interface Entry {
  control: RunControl;
  hasTurn: boolean;
  begin: () => void;
}

/** One line over all processes. What Status tells is in memory; news and a beat keep it current. */
export class SharedLine implements Line {
  lastRun: RecordedRun = { id: '', at: '' };
  readonly #store: LineStore;
  readonly #keeper: TurnKeeper;
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new AbortController();
  readonly #beating: Promise<void>;
  #listeners: Array<() => void> = [];
  #onEmpty: Array<() => void> = [];
  #count = 0;
  #isAway = true;
  #renewedAt = performance.now();
  #isClosed = false;

  constructor(
    redis: SharedRedis,
    secret: SharedSecret,
    private readonly crew: Crew,
    private readonly limits: LineLimits,
  ) {
    this.#store = new LineStore(redis, secret);
    this.#keeper = new TurnKeeper(redis, secret.prefix, this.#store);
    redis.onNews('count', (count) => {
      if (/^\d{1,9}$/.test(count)) this.#count = Number(count);
    });
    redis.onNews('turn', (id) => this.#entries.get(id)?.begin());
    redis.onNews('stop', (id) => this.#entries.get(id)?.control.stop('cancel'));
    redis.onNews('recorded', (text) => (this.lastRun = parseRecorded(text) ?? this.lastRun));
    redis.whenThere(async () => (this.lastRun = (await this.#store.lastRun()) ?? this.lastRun));
    crew.onChange(() => this.#tellChange());
    this.#beating = repeat(BEAT_MS, this.#closing.signal, () => this.#renew());
  }

  get inHand(): number {
    return Math.min(this.#count, this.limits.inHand);
  }

  get problem(): string {
    return this.#isAway ? redisAway : this.crew.problem;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async take<T>({ caller, peer, control }: Applicant, work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) control.stop('shutdown');
    control.checkpoint();
    const id = randomUUID();
    const entry: Entry = { control, hasTurn: false, begin: () => undefined };
    this.#entries.set(id, entry);
    try {
      const refusal = await this.#store.enter(id, { caller, peer }, this.limits);
      if (refusal !== '') throw new QueueFullError(refusal);
      control.share({
        named: (runId) => void this.#store.name(id, runId).catch(() => undefined),
        commit: () => this.#commit(id),
      });
      const turn = waitForTurn(entry).then(() => {
        entry.hasTurn = true;
      });
      await Promise.all([turn, this.#keeper.add(id)]);
      control.previousRunId = await this.#store.lastRunId();
      return await work();
    } finally {
      this.#entries.delete(id);
      // Should Redis be away, the lease ends by itself.
      await this.#store.leave(id).catch(() => undefined);
      if (this.#entries.size === 0) for (const resolve of this.#onEmpty.splice(0)) resolve();
    }
  }

  async record(run: RecordedRun): Promise<void> {
    this.lastRun = run;
    await this.#store.record(run).catch(() => undefined);
  }

  cancel(caller: string): Promise<Array<{ runId: string; stopped: boolean }>> {
    return this.#store.cancel(caller);
  }

  close(): void {
    this.#isClosed = true;
    for (const { hasTurn, control } of this.#entries.values()) {
      if (!hasTurn) control.stop('shutdown');
    }
  }

  stopRunning(): void {
    for (const { control } of this.#entries.values()) control.stop('shutdown');
  }

  async whenEmpty(): Promise<void> {
    if (this.#entries.size === 0) return;
    await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  /** Once everything has left; others keep the turns from now on. */
  async dispose(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#beating, this.#keeper.close()]);
  }

  async #commit(id: string): Promise<boolean> {
    const answer = await this.#store.commit(id);
    if (answer !== 'gone') return answer === 'committed';
    throw new AnalyserError('redis', 'The analysis lost its turn, because Redis was away.');
  }

  async #renew(): Promise<void> {
    // Those that are not in line yet are not known there either.
    const ids = [...this.#entries].flatMap(([id, { control }]) => (control.isShared ? [id] : []));
    try {
      const { count, standings } = await this.#store.renew(ids);
      this.#renewedAt = performance.now();
      this.#count = count;
      for (const [index, id] of ids.entries()) this.#apply(id, standings[index]);
      this.#setAway(false);
    } catch {
      this.#setAway(true);
      if (performance.now() - this.#renewedAt < LEASE_MS) return;
      // By now somebody else may have the turn.
      for (const { control } of this.#entries.values()) control.stop('turn lost');
    }
  }

  #apply(id: string, standing: Standing | undefined): void {
    const entry = this.#entries.get(id);
    if (standing === 'turn') entry?.begin();
    if (standing === 'stopped') entry?.control.stop('cancel');
    if (standing === 'gone') entry?.control.stop('turn lost');
  }

  #setAway(isAway: boolean): void {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    this.#tellChange();
  }

  #tellChange(): void {
    for (const listener of this.#listeners) listener();
  }
}
