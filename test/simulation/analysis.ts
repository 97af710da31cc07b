import { analyse } from '../../src/run/analyse.js';
import { type AnalysisReport } from '../../src/run/analysis-report.js';
import type { AnalysisTools } from '../../src/run/analysis-tools.js';
import { varFolders } from '../../src/run/folders-of-config.js';
import type { ServedCalls } from '../../src/run/publish/publication.js';
import { performTurn } from '../../src/service/perform-turn.js';
import { Call, Turn } from '../../src/service/turn.js';
import type { Exchange } from '../../src/solid/requests/transport.js';
import type { SolidAnswer } from '../../src/solid/solid-client.js';
import { noLog } from '../support/no-log.js';
import { wait } from '../support/wait.js';
import { faultsOf, meet } from './faults.js';
import type { Step } from './plan.js';
import { fair, type World } from './world.js';

interface Called {
  webId: string | null;
  isCancelled: boolean;
  /** Null while there is no answer. */
  report: AnalysisReport | null;
  answers: number;
}

/** One analysis, as whoever looks from outside sees it. */
export interface Happened {
  calls: readonly Called[];
  /** Null when it threw, or was killed. */
  outcome: ServedCalls | null;
  failure: Error | null;
  isCrashed: boolean;
  /** Whether a request met something else than the server, or a change something else than the disk. */
  isTroubled: boolean;
  isDiskFull: boolean;
  requests: readonly { method: string; url: string; status: number | null }[];
  /** The runs that were written, and of these the ones of which the last writing failed. */
  stored: ReadonlySet<string>;
  unsettled: ReadonlySet<string>;
  /** Whose readings were kept for a chart, by root. */
  kept: readonly string[];
}

/** `isDenied`: whether the server has said in this analysis that there is no such document. */
type OnWrite = (written: { url: string; isDenied: boolean }, going: readonly Call[]) => void;

/** Runs one analysis for the callers of the step. `onWrite` sees the world after each change, as anybody may at any time. */
export async function performAnalysis(
  world: World,
  step: Step,
  onWrite: OnWrite,
): Promise<Happened> {
  const analysis = new PlannedAnalysis(world, step, onWrite);
  return await analysis.perform();
}

class PlannedAnalysis {
  readonly #calls: readonly Call[];
  readonly #turn: Turn;
  readonly #cancelled = new Set<Call>();
  readonly #answers = new Map<Call, number>();
  readonly #faultOf: ReturnType<typeof faultsOf>;
  readonly #requests: { method: string; url: string; status: number | null }[] = [];
  #changes = 0;
  readonly #stored = new Set<string>();
  readonly #unsettled = new Set<string>();
  readonly #written = new Map<string, number>();
  #outcome: ServedCalls | null = null;
  #kept: readonly string[] = [];
  #isCrashed = false;
  #isTroubled = false;
  #refused = 0;

  constructor(
    private readonly world: World,
    private readonly step: Step,
    private readonly onWrite: OnWrite,
  ) {
    const { callers, trouble } = step;
    const webIds = callers.map((who) => (world.people[who] ?? world.stranger).webId);
    this.#calls = callers.length === 0 ? [new Call(null)] : webIds.map((webId) => new Call(webId));
    this.#turn = new Turn(this.#calls);
    this.#faultOf = faultsOf(trouble.faults);
    for (const call of this.#calls) {
      void call.sent.then(() => this.#answers.set(call, (this.#answers.get(call) ?? 0) + 1));
    }
  }

  async perform(): Promise<Happened> {
    const { world, step } = this;
    const { config, connection, tools } = world.service;
    world.weather = {
      intercept: (exchange, serve) => this.#intercept(exchange, serve),
      fortuneOf: (change) => this.#fortuneOf(change),
      slownessOf: () => (step.jitter === null ? 0 : this.#jitter(this.#changes)),
    };
    const turnTools = {
      output: varFolders(config),
      timeoutSeconds: config.grpc.analysis_timeout_seconds,
      log: noLog,
    };
    const observed = {
      ...tools,
      podReader: this.#observedReader(tools.podReader),
      results: this.#observedResults(tools.results),
    };
    const work = performTurn(this.#turn, turnTools, async (onFiles) => {
      const startedAt = performance.now();
      if (step.login > 0) await wait(step.login * 1000, this.#turn.signal);
      this.#outcome = await analyse(observed, connection, this.#turn, { onFiles, startedAt });
    });
    const failure = await world.clock.until(work, () => this.#isCrashed);
    if (!this.#isCrashed) world.weather = fair;
    return {
      calls: this.#calls.map((call) => ({
        webId: call.webId,
        isCancelled: this.#cancelled.has(call),
        report: call.state.kind === 'answered' ? call.state.report : null,
        answers: this.#answers.get(call) ?? 0,
      })),
      outcome: this.#outcome,
      failure,
      isCrashed: this.#isCrashed,
      isTroubled: this.#isTroubled,
      isDiskFull: this.#refused > 0,
      stored: this.#stored,
      unsettled: this.#unsettled,
      requests: this.#requests,
      kept: this.#kept,
    };
  }

  #observedResults(results: AnalysisTools['results']): typeof results {
    return {
      ...results,
      write: async (document, ...more) => {
        this.#unsettled.add(document.run_id);
        const path = await results.write(document, ...more);
        this.#stored.add(document.run_id);
        this.#unsettled.delete(document.run_id);
        return path;
      },
    };
  }

  #observedReader(podReader: AnalysisTools['podReader']): typeof podReader {
    return {
      readShares: async (...what) => {
        const readings = await podReader.readShares(...what);
        this.#kept = readings
          .filter((pod) => pod.readings.length > 0)
          .map(({ owner }) => owner.root);
        return readings;
      },
    };
  }

  async #intercept(exchange: Exchange, serve: () => SolidAnswer): Promise<SolidAnswer> {
    const { method, url, signal } = exchange;
    const number = this.#requests.length;
    const noted: { method: string; url: string; status: number | null } = {
      method,
      url,
      status: null,
    };
    this.#requests.push(noted);
    for (const { call, at } of this.step.cancels) {
      const one = this.#calls[call % this.#calls.length];
      if (at !== number || one === undefined) continue;
      if (one.cancel('cancel')) this.#cancelled.add(one);
    }
    this.#crashAt(number, serve);
    if (this.#isCrashed) return await new Promise<never>(() => undefined);
    if (this.step.jitter !== null) await wait(this.#jitter(number), signal);
    const watched = () => {
      const answer = serve();
      const isWrite = method !== 'GET' && method !== 'HEAD';
      if (isWrite) this.#tellWritten(url);
      return answer;
    };
    const fault = this.#faultOf(`${method} ${url}`);
    if (fault !== undefined) this.#isTroubled = true;
    const answer = fault === undefined ? watched() : await meet(fault, exchange, watched);
    // A page in the place of a file is no answer of its server.
    noted.status = fault?.kind === 'page' ? null : answer.status;
    return answer;
  }

  #tellWritten(url: string): void {
    const isDenied = this.#requests.some((one) => one.url === url && one.status === 404);
    const going = this.#calls.filter((call) => !this.#cancelled.has(call));
    this.onWrite({ url, isDenied }, going);
  }

  #crashAt(request: number, serve: () => SolidAnswer): void {
    const { crash } = this.step.trouble;
    if (crash?.at !== 'request' || crash.number !== request) return;
    if (crash.isAfter) serve();
    this.#isCrashed = true;
    this.world.disk.kill();
  }

  #fortuneOf(change: string): 'made' | 'full' | 'killed' {
    const { trouble } = this.step;
    const number = this.#changes;
    this.#changes += 1;
    if (trouble.crash?.at === 'change' && trouble.crash.number === number) {
      this.#isCrashed = true;
      return 'killed';
    }
    if (!change.startsWith('write') || !this.#isFull(change, number)) return 'made';
    this.#isTroubled = true;
    this.#refused += 1;
    return 'full';
  }

  #isFull(change: string, number: number): boolean {
    const { disk } = this.step;
    if (disk === null || this.#refused >= disk.times) return false;
    if (typeof disk.from === 'number') return number >= disk.from;
    const { file, number: first } = disk.from;
    if (!change.includes(file)) return false;
    const written = this.#written.get(file) ?? 0;
    this.#written.set(file, written + 1);
    return written >= first;
  }

  /** Some milliseconds that follow from the plan. */
  #jitter(number: number): number {
    return (number * 7_919 + (this.step.jitter ?? 0) * 104_729) % 40;
  }
}
