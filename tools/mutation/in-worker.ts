import type { RunnerTask, RunnerTestCase, RunnerTestSuite } from 'vitest';
import { TestRunner } from 'vitest';
import { type Order, readOrder, tell } from './report.js';

/** How the instrumented text and this file talk, by agreement of the library. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: {
    static: Record<string, number>;
    perTest: Record<string, Record<string, number>>;
  };
}

declare global {
  var __stryker__: Switches | undefined;
}

const switches: Switches = (globalThis.__stryker__ ??= {});
/** Tests may put fake ones in their place. */
const { setTimeout, clearTimeout, performance } = globalThis;
const { MUTATION_ORDER, MUTATION_REPORT, __STRYKER_ACTIVE_MUTANT__: oneMutant } = process.env;
/** Slower tests run at last, for the mutants that are left. */
const SLOW_MS = 300;

let inTurn = Promise.resolve();
let isStopped = false;
let wasRejected = false;
process.on('unhandledRejection', () => {
  wasRejected = true;
});

/** Runs each test once as it is, which tells the mutants that it reaches, and then once more for each of these. */
export default class MutantRunner extends TestRunner {
  #order = oneMutant === undefined ? readOrder(MUTATION_ORDER ?? '') : null;
  #killed = new Set(this.#order?.killed);

  /** Vitest calls it before anything of a test file is loaded. */
  onBeforeRunFiles(): void {
    this.#tell({ kind: 'process', pid: process.pid });
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    if (this.#order === null) {
      await TestRunner.getTestFn(test)();
      // Whoever watches sees that it goes on.
      this.#tell({ kind: 'test', test: nameOf(test), ms: 0, isSlow: false, reached: [] });
      return;
    }
    const before = inTurn;
    const { promise, resolve } = withResolver();
    inTurn = promise;
    await before;
    try {
      // What a mutant left behind could keep each test that follows from its end for an hour.
      if (!isStopped) await this.#runWithMutants(test, this.#order);
    } finally {
      resolve();
    }
  }

  override onAfterRunFiles(): void {
    const reached = Object.keys(switches.mutantCoverage?.static ?? {});
    if (this.#order !== null) this.#tell({ kind: 'static', reached });
    super.onAfterRunFiles();
  }

  async #runWithMutants(test: RunnerTestCase, order: Order): Promise<void> {
    const name = nameOf(test);
    switches.currentTestId = name;
    const start = performance.now();
    try {
      await TestRunner.getTestFn(test)();
    } finally {
      switches.currentTestId = '-';
    }
    const ms = performance.now() - start;
    const hits = switches.mutantCoverage?.perTest[name] ?? {};
    const isSlow = ms > SLOW_MS;
    const reached = Object.keys(hits);
    this.#tell({ kind: 'test', test: name, ms, isSlow, reached });
    if (isSlow === order.isSlow) {
      const done = new Set(order.done[name]);
      const left = reached.filter((mutant) => !done.has(mutant) && !this.#killed.has(mutant));
      await this.#tryMutants(test, { left, isFirst: done.size === 0, hits, ms });
    }
    switches.currentTestId = undefined;
  }

  async #tryMutants(
    test: RunnerTestCase,
    {
      left,
      isFirst,
      hits,
      ms,
    }: { left: readonly string[]; isFirst: boolean; hits: Record<string, number>; ms: number },
  ): Promise<void> {
    if (left.length === 0) return;
    const name = nameOf(test);
    const limit = Math.max(2_500, 10 * ms);
    const asItIs = () => this.#runOnce(test, { hits: 0, limit });
    // It would fail with any mutant.
    if (isFirst && (await asItIs()) !== 'survived') {
      this.#tell({ kind: 'unrepeatable', test: name });
      return;
    }
    /** The last one that the test passed with, since it was seen to pass without any. */
    let survivor: string | null = null;
    for (const mutant of left) {
      this.#tell({ kind: 'start', test: name, mutant, limit });
      const how = await this.#runOnce(test, { mutant, hits: hits[mutant] ?? 0, limit });
      if (how === 'survived') {
        survivor = mutant;
        this.#tell({ kind: 'end', test: name, mutant, how, isDirty: false });
        continue;
      }
      // What a mutant left behind must not pass for the next one.
      isStopped = (await asItIs()) !== 'survived';
      const isUnclear = isStopped && survivor !== null;
      if (!isUnclear) this.#killed.add(mutant);
      const said = isUnclear ? 'unclear' : how;
      this.#tell({ kind: 'end', test: name, mutant, how: said, isDirty: isStopped });
      if (isStopped) return;
      survivor = null;
    }
    // The hooks of Vitest that follow find the test as it ended.
    if (survivor === null || (await asItIs()) === 'survived') return;
    isStopped = true;
    this.#tell({ kind: 'end', test: name, mutant: survivor, how: 'killed', isDirty: true });
  }

  async #runOnce(
    test: RunnerTestCase,
    { mutant, hits, limit }: { mutant?: string; hits: number; limit: number },
  ): Promise<'killed' | 'survived' | 'timeout'> {
    wasRejected = false;
    const run = async () => {
      try {
        await runHooks(test, 'afterEach');
        switches.hitCount = 0;
        switches.hitLimit = 1000 + 100 * hits;
        switches.activeMutant = mutant;
        this.onBeforeTryTask(test);
        await runHooks(test, 'beforeEach');
        await TestRunner.getTestFn(test)();
        this.onAfterTryTask(test);
        return wasRejected ? 'killed' : 'survived';
      } catch {
        return 'killed';
      } finally {
        switches.activeMutant = undefined;
      }
    };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'timeout'>((resolve) => {
      timer = setTimeout(() => resolve('timeout'), limit);
    });
    const how = await Promise.race([run(), late]);
    switches.activeMutant = undefined;
    clearTimeout(timer);
    return how;
  }

  #tell(line: Parameters<typeof tell>[1]): void {
    tell(MUTATION_REPORT ?? '', line);
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function nameOf(test: RunnerTestCase): string {
  const names: string[] = [];
  for (let task: RunnerTask | undefined = test; task && !('filepath' in task); task = task.suite) {
    names.unshift(task.name);
  }
  return names.join(' > ');
}

/** Vitest keeps there what a test gives to `onTestFinished`. */
interface WithFinishers {
  onFinished?: ((context: RunnerTestCase['context']) => unknown)[];
}

async function runHooks(test: RunnerTestCase, name: 'beforeEach' | 'afterEach'): Promise<void> {
  const isBefore = name === 'beforeEach';
  if (!isBefore) {
    const finished: RunnerTestCase & WithFinishers = test;
    for (const hook of (finished.onFinished ?? []).toReversed()) await hook(test.context);
    finished.onFinished = [];
  }
  const suites: RunnerTestSuite[] = [];
  let suite: RunnerTestSuite | undefined = test.suite ?? test.file;
  while (suite !== undefined) {
    suites.push(suite);
    suite = suite === test.file ? undefined : (suite.suite ?? test.file);
  }
  for (const each of isBefore ? suites.toReversed() : suites) {
    const hooks = TestRunner.getSuiteHooks(each)[name];
    for (const hook of isBefore ? hooks : hooks.toReversed()) await hook(test.context, each);
  }
}
