import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { getOrAdd } from '../../src/base/lists.js';
import type { Mutants } from './make-mutants.js';
import { type Line, type Order, readLines } from './report.js';

/** What became of the mutants, by their ids. */
export interface Tried {
  /** The test that noticed each. */
  killedBy: ReadonlyMap<string, string>;
  /** Those that a test reached. */
  reached: ReadonlySet<string>;
  /** Tests that cannot be run twice in one process, or fail without any mutant: what they notice proves nothing. */
  unusable: readonly string[];
}

/** A loop that never ends answers to nothing but the end of its process. */
const GRACE_MS = 10_000;
const WATCH_MS = 5_000;

/** Runs the tests, in their order, with each mutant that nothing has noticed yet. */
export async function tryMutants(
  root: string,
  { mutants, texts }: Mutants,
  tests: readonly string[],
  onTest: (test: string) => void,
): Promise<Tried> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'mutants-'));
  const files = { order: path.join(scratch, 'order.json'), report: path.join(scratch, 'report') };
  process.env['MUTATION_ORDER'] = files.order;
  process.env['MUTATION_REPORT'] = files.report;
  const vitest = await startVitest(root, texts, tests);
  try {
    const run = new Run(vitest, root, files);
    // Tests that take long run at last, for the mutants that are left.
    for (const isSlow of [false, true]) {
      for (const test of tests) {
        if (isSlow && !run.hasSlow(test)) continue;
        onTest(test);
        await run.tryFile(test, isSlow);
      }
    }
    for (const { id } of mutants) await run.tryWhileLoading(id);
    return run.tried();
  } finally {
    await vitest.close();
    await rm(scratch, { recursive: true });
  }
}

class Run {
  readonly #killedBy = new Map<string, string>();
  readonly #reached = new Set<string>();
  readonly #unusable = new Set<string>();
  /** By file: mutants that only slow tests reach. */
  readonly #slow = new Map<string, Set<string>>();
  /** Reached while files are loaded, by mutant: each needs a process of its own. */
  readonly #loading = new Map<string, Set<string>>();
  /** By file, of the test that takes longest. */
  readonly #longestMs = new Map<string, number>();

  constructor(
    private readonly vitest: Vitest,
    private readonly root: string,
    private readonly files: { order: string; report: string },
  ) {}

  hasSlow(file: string): boolean {
    return [...(this.#slow.get(file) ?? [])].some((mutant) => !this.#killedBy.has(mutant));
  }

  async tryFile(file: string, isSlow: boolean): Promise<void> {
    const done: Order['done'] = {};
    for (let isFirst = true, isAgain = true; isAgain; isFirst = false) {
      const order: Order = { isSlow, killed: [...this.#killedBy.keys()], done };
      writeFileSync(this.files.order, JSON.stringify(order));
      writeFileSync(this.files.report, '');
      const hasPassed = await this.#runWatched(file);
      const lines = readLines(this.files.report);
      const last = lines.at(-1);
      if (last?.kind === 'start') {
        lines.push({ ...last, kind: 'end', how: 'timeout', isDirty: true });
      }
      isAgain = lines.some((line) => line.kind === 'end' && line.isDirty);
      if (isFirst && !hasPassed && !isAgain) this.#unusable.add(`${file} fails without a mutant`);
      for (const line of lines) this.#note(file, line, done);
    }
  }

  /** Tries a mutant that is reached while files are loaded. */
  async tryWhileLoading(mutant: string): Promise<void> {
    const files = this.#loading.get(mutant);
    if (files === undefined || this.#killedBy.has(mutant)) return;
    process.env['__STRYKER_ACTIVE_MUTANT__'] = mutant;
    for (const file of files) {
      writeFileSync(this.files.report, '');
      const limit = Math.max(2_500, 10 * (this.#longestMs.get(file) ?? 0));
      if (await this.#runWatched(file, limit)) continue;
      this.#killedBy.set(mutant, file);
      break;
    }
    delete process.env['__STRYKER_ACTIVE_MUTANT__'];
  }

  tried(): Tried {
    return { killedBy: this.#killedBy, reached: this.#reached, unusable: [...this.#unusable] };
  }

  #note(file: string, line: Line, done: Order['done']): void {
    if (line.kind === 'test') {
      this.#longestMs.set(file, Math.max(line.ms, this.#longestMs.get(file) ?? 0));
    }
    if (line.kind === 'test' || line.kind === 'static') {
      for (const mutant of line.reached) {
        this.#reached.add(mutant);
        if (line.kind === 'static') getOrAdd(this.#loading, mutant, () => new Set()).add(file);
        else if (line.isSlow) getOrAdd(this.#slow, file, () => new Set()).add(mutant);
      }
      return;
    }
    if (line.kind === 'process') return;
    const name = `${file} > ${line.test}`;
    if (line.kind === 'unrepeatable') this.#unusable.add(`${name} passes only once`);
    if (line.kind !== 'end' || line.how === 'unclear') return;
    done[line.test] = [...(done[line.test] ?? []), line.mutant];
    if (line.how !== 'survived') getOrAdd(this.#killedBy, line.mutant, () => name);
  }

  /** Ends the process when a mutant does not; `limit` is that of each test, where the mutant is there all the time. */
  async #runWatched(file: string, limit = Number.POSITIVE_INFINITY): Promise<boolean> {
    let count = -1;
    let since = Date.now();
    const watch = setInterval(() => {
      const lines = readLines(this.files.report);
      if (lines.length !== count) since = Date.now();
      count = lines.length;
      const last = lines.at(-1);
      const mayTake = last?.kind === 'start' ? last.limit : limit;
      if (Date.now() - since < mayTake + GRACE_MS) return;
      for (const line of lines) {
        if (line.kind === 'process') return void process.kill(line.pid, 'SIGKILL');
      }
    }, WATCH_MS);
    try {
      return await this.#runFile(file);
    } finally {
      clearInterval(watch);
    }
  }

  /** True if all its tests passed. */
  async #runFile(file: string): Promise<boolean> {
    const { vitest } = this;
    vitest.state.filesMap.clear();
    vitest.state.errorsSet.clear();
    const specifications: TestSpecification[] = await vitest.globTestSpecifications();
    const ofFile = specifications.filter(
      ({ moduleId }) => path.relative(this.root, moduleId) === file,
    );
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(ofFile);
    return unhandledErrors.length === 0 && testModules.every((module) => module.ok());
  }
}

/** With the mutated texts in place of the files, so that nothing on the disk changes. */
async function startVitest(
  root: string,
  texts: ReadonlyMap<string, string>,
  tests: readonly string[],
): Promise<Vitest> {
  const isBehaviour = tests.some((file) => file.startsWith('test/'));
  const support = (name: string) => `./test/support/${name}.ts`;
  const textOf = (id: string) => texts.get(path.relative(root, id.split('?')[0] ?? ''));
  return await createVitest(
    'test',
    {
      config: false,
      root,
      watch: false,
      include: [...tests],
      pool: 'forks',
      isolate: false,
      maxWorkers: 1,
      execArgv: ['--no-warnings', '--import', 'tsx'],
      runner: fileURLToPath(new URL('in-worker.ts', import.meta.url)),
      // All repetitions of a test belong to it.
      testTimeout: 3_600_000,
      hookTimeout: 180_000,
      teardownTimeout: 1_000,
      expect: { poll: { timeout: isBehaviour ? 10_000 : 2_000 } },
      reporters: [{}],
      onConsoleLog: () => false,
      ...(isBehaviour && {
        setupFiles: [support('each-file')],
        globalSetup: ['shared-server', 'key-pairs', 'compiled-sources'].map(support),
      }),
    },
    { plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => textOf(id) ?? null }] },
  );
}
