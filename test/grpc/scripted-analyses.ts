import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../src/base/logger.js';
import type { Config } from '../../src/config/schema.js';
import type { AnalysisReport } from '../../src/run/analysis-report.js';
import type { Assignment, NamedCall } from '../../src/run/assignment.js';
import { AnalysisQueue } from '../../src/service/analysis-queue.js';
import { performTurn } from '../../src/service/perform-turn.js';
import { type Connector, type Pauses, Readiness } from '../../src/service/readiness.js';
import { queueLimits } from '../../src/service/start-analyses.js';
import { varBelow } from '../support/output-below.js';

export const analyserWebId = 'https://pods.example/analyser/profile/card#me';
export const alice = 'https://pods.example/alice/profile/card#me';
export const bob = 'https://pods.example/bob/profile/card#me';

export const completed: AnalysisReport = {
  status: 'COMPLETED',
  run_id: '20260819T091500Z',
  generated_at: '2026-08-19T09:15:00.000+00:00',
  message: 'Done.',
  isPersonal: false,
  result_url: 'https://pods.example/analyser/app/data/analyser/x/bp-average.json.enc.ttl',
  pod_count: 3,
  observation_count: 12,
  files_read: 12,
  files_skipped: 1,
  published: true,
};

/** The part of one caller in an analysis that stands still until the test moves it. */
interface ScriptedRun {
  caller: string;
  runId: string;
  connection: string;
  signal: AbortSignal;
  commit(): Promise<unknown>;
  finish(report: AnalysisReport): void;
  /** Fails the analysis, with all its callers. */
  fail(error: unknown): void;
}

interface ScriptedConnection {
  name: string;
  close(): Promise<void>;
}

/** An analysis without Pods: what it does and when is up to the test. */
export class ScriptedAnalyses implements Connector<ScriptedConnection> {
  readonly runs: ScriptedRun[] = [];
  readonly disconnected: string[] = [];
  connects = 0;
  probes = 0;
  /** What a connect does; the default succeeds at once. */
  onConnect: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  onProbe: () => Promise<void> = () => Promise.resolve();
  readonly #waiting: Array<{ count: number; resolve: () => void }> = [];

  async connect(signal: AbortSignal): Promise<ScriptedConnection> {
    this.connects += 1;
    const name = `connection ${this.connects}`;
    await this.onConnect(signal);
    const close = () => {
      this.disconnected.push(name);
      return Promise.resolve();
    };
    return { name, close };
  }

  probe(): Promise<void> {
    this.probes += 1;
    return this.onProbe();
  }

  async analyse({ name }: ScriptedConnection, assignment: Assignment): Promise<unknown[]> {
    assignment.signal.throwIfAborted();
    await Promise.all(assignment.calls.map((call) => this.#serve(name, assignment, call)));
    return [];
  }

  /** The nth run (from 1), as soon as it has begun. */
  async begun(nth: number): Promise<ScriptedRun> {
    if (this.runs.length < nth) {
      await new Promise<void>((resolve) => this.#waiting.push({ count: nth, resolve }));
    }
    const run = this.runs[nth - 1];
    if (run === undefined) throw new Error(`run ${nth} has not begun`);
    return run;
  }

  #serve(
    connection: string,
    assignment: Assignment,
    { id, webId, runId }: NamedCall,
  ): Promise<void> {
    const { signal } = assignment;
    return new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('fetch aborted')));
      this.runs.push({
        caller: webId ?? '',
        runId,
        connection,
        signal,
        commit: () => assignment.commit(),
        finish(report) {
          assignment.answer(id, report);
          resolve();
        },
        fail: reject,
      });
      for (const waiting of this.#waiting) {
        if (this.runs.length >= waiting.count) waiting.resolve();
      }
    });
  }
}

/** The service behind its door, with scripted analyses in place of the analysis thread. */
export async function startScriptedAnalyses(
  analyses: ScriptedAnalyses,
  { analyser: { web_id, server_url }, grpc }: Pick<Config, 'analyser' | 'grpc'>,
  log: Logger,
  pauses: Pauses = { firstMs: 5, longestMs: 20 },
) {
  const folder = mkdtempSync(join(tmpdir(), 'bp-scripted-'));
  const readiness = new Readiness(analyses, {
    log,
    own: { webIds: [web_id], serverUrl: server_url },
    onChange: () => undefined,
    pauses,
  });
  const tools = {
    output: varBelow(folder),
    timeoutSeconds: grpc.analysis_timeout_seconds,
    log,
    onDiskFailure: (error: unknown) => readiness.failed(error),
  };
  const queue = new AnalysisQueue({ ...queueLimits(grpc), callsPerTurn: 1 }, (turn) =>
    performTurn(turn, tools, () =>
      readiness.useConnection(turn.signal, (connection) => analyses.analyse(connection, turn)),
    ),
  );
  await readiness.start();
  return {
    queue,
    readiness,
    stop: async () => {
      await readiness.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
