import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

const real = {
  Date,
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  pause: timersPromises.setTimeout,
  letOthersWork: timersPromises.setImmediate,
};

class Timer {
  constructor(
    public at: number,
    readonly order: number,
    readonly run: () => void,
    readonly everyMs: number | null,
  ) {}
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

/**
 * The time of a history, in place of that of this process between `install` and `restore`. It passes only when nothing
 * else can happen, so the same history always happens in the same order.
 */
export class VirtualClock {
  /** Milliseconds since the beginning of the history. */
  now = 0;
  readonly #began = real.Date.UTC(2026, 2, 1, 6);
  #order = 0;
  #timers: Timer[] = [];

  install(): void {
    const remove = (timer: unknown) => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
    Object.assign(globalThis, {
      setTimeout: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
        this.#add(() => run(...args), ms),
      setInterval: (run: () => void, ms = 1) => this.#add(run, ms, ms),
      clearTimeout: remove,
      clearInterval: remove,
      Date: this.#date(),
    });
    Object.defineProperty(performance, 'now', { value: () => this.now, configurable: true });
    const pause = (ms?: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise<unknown>((resolve, reject) => {
        const end = () => {
          const reason: unknown = signal?.reason;
          remove(timer);
          reject(reason);
        };
        const timer = this.#add(() => {
          signal?.removeEventListener('abort', end);
          resolve(value);
        }, ms);
        if (signal?.aborted === true) end();
        signal?.addEventListener('abort', end);
      });
    Object.assign(timersPromises, { setTimeout: pause });
    syncBuiltinESMExports();
  }

  restore(): void {
    const { pause, letOthersWork: _, ...globals } = real;
    Object.assign(globalThis, globals);
    Reflect.deleteProperty(performance, 'now');
    Object.assign(timersPromises, { setTimeout: pause });
    syncBuiltinESMExports();
  }

  pass(milliseconds: number): void {
    this.now += milliseconds;
  }

  /** Nothing that a killed process has waited for comes any more. */
  async forgetTimers(): Promise<void> {
    await this.#quiet(() => false);
    this.#timers = [];
  }

  /** Lets everything happen until the work is done; null if `isOver` says first that nothing more comes of it. */
  async until<T>(work: Promise<T>, isOver: () => boolean = () => false): Promise<T | null> {
    const settled: ({ value: T } | { error: unknown })[] = [];
    work.then(
      (value) => settled.push({ value }),
      (error: unknown) => settled.push({ error }),
    );
    for (;;) {
      await this.#quiet(() => settled.length > 0 || isOver());
      const [end] = settled;
      if (end !== undefined) {
        if ('error' in end) throw end.error;
        return end.value;
      }
      if (isOver()) return null;
      if (!this.#advance()) throw new Error('Nothing happens any more: somebody waits for ever.');
    }
  }

  #add(run: () => void, ms = 0, everyMs: number | null = null): Timer {
    this.#order += 1;
    const timer = new Timer(this.now + Math.max(0, ms), this.#order, run, everyMs);
    this.#timers.push(timer);
    return timer;
  }

  #date(): DateConstructor {
    const now = () => this.#began + this.now;
    return new Proxy(real.Date, {
      construct: (date, args: [] | [string | number]): Date =>
        args.length === 0 ? new date(now()) : new date(...args),
      get: (date, name): unknown => (name === 'now' ? now : Reflect.get(date, name)),
    });
  }

  /** Promises and `setImmediate` are all that can go on without time: the disk and the server answer at once. */
  async #quiet(isEnough: () => boolean): Promise<void> {
    for (let rounds = 0; rounds < 2 && !isEnough(); ) {
      await real.letOthersWork();
      const isBusy = process.getActiveResourcesInfo().includes('Immediate');
      rounds = isBusy ? 0 : rounds + 1;
    }
  }

  #advance(): boolean {
    const isBefore = (one: Timer, other: Timer) =>
      one.at < other.at || (one.at === other.at && one.order < other.order);
    const [first, ...others] = this.#timers;
    if (first === undefined) return false;
    const next = others.reduce((one, other) => (isBefore(other, one) ? other : one), first);
    this.now = Math.max(this.now, next.at);
    if (next.everyMs === null) this.#timers = this.#timers.filter((one) => one !== next);
    else next.at = this.now + next.everyMs;
    next.run();
    return true;
  }
}
