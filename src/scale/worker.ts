import { Worker } from 'bullmq';
import { z } from 'zod';
import type { Logger } from '../base/logger.js';
import type { Config, Secrets } from '../config/schema.js';
import { OpeningThreads } from '../pod/inbox/opening-threads.js';
import { connect, disconnect } from '../run/connect.js';
import { endsConnection } from '../run/ends-connection.js';
import type { Observer } from '../run/observer.js';
import { Readiness } from '../run/readiness.js';
import { probeServer } from '../solid/probe-server.js';
import { Crew } from './crew.js';
import { describeFailure } from './failures.js';
import { performTask, RunMemory, type WorkerConnection } from './perform-task.js';
import { RequestShare } from './request-share.js';
import { SharedRedis } from './shared-redis.js';
import { deriveSharedSecret } from './shared-secret.js';
import { LOCK_MS } from './turn-keeper.js';
import { type Outcome, readWork, type Work, writeOutcome } from './work-messages.js';
import { answerPurpose, taskPurpose, workQueueName } from './work-queue.js';

export interface WorkerSettings {
  config: Config;
  secrets: Secrets;
  redisUrl: string;
  version: string;
  log: Logger;
  observer: Observer;
}

export interface RunningWorker {
  /** Takes no further tasks and ends when those in hand are done. */
  stop(): Promise<void>;
}

/** So that the storage server is never left waiting between the end of one task and the next. */
const TASKS_AT_ONCE = 3;
/** A task that has brought down so many workers brings down every one. */
const MOST_LOSSES = 3;
const pauses = { firstMs: 1000, longestMs: 30_000 };
const jobData = z.object({ sealed: z.string() });

/** Reads for whichever process has a run in hand; takes tasks only while it can do them. */
export async function startWorker(settings: WorkerSettings): Promise<RunningWorker> {
  const { config, secrets, redisUrl, version, log, observer } = settings;
  const secret = await deriveSharedSecret(secrets.securityKey, config.analyser.web_id);
  const redis = new SharedRedis(redisUrl, { prefix: secret.prefix, log });
  await redis.firstContact();
  const crew = new Crew(redis, secret.prefix, { role: 'worker', version });
  const { max_requests: together, requests_per_worker: perWorker } = config.scale;
  const share = new RequestShare(crew, redis, { together, perWorker });
  const inHand = new Map<AbortController, string>();
  const memory = new RunMemory();

  const readiness = new Readiness<WorkerConnection>(
    {
      async connect(signal) {
        const concurrency = share.concurrency();
        const onOverload = () => share.tellOverload();
        const options = { observer, concurrency, onOverload };
        const connection = await connect(config, secrets, signal, options);
        share.hold(connection.client);
        return { ...connection, threads: new OpeningThreads(connection.pod.privateKey) };
      },
      async disconnect(connection) {
        await Promise.all([disconnect(connection), connection.threads.dispose()]);
      },
      verify: (_failure, signal) => probeServer(config.analyser.server_url, signal),
      probe: (signal) => probeServer(config.analyser.server_url, signal),
    },
    {
      log,
      own: { webIds: [config.analyser.web_id], serverUrl: config.analyser.server_url },
      onChange({ ready: isReady }) {
        observer.ready(isReady);
        void (isReady ? jobs.resume() : jobs.pause(true));
        void crew.show(isReady);
      },
      pauses,
    },
  );

  const jobs = new Worker(
    workQueueName(version),
    async ({ id = '', data }) => {
      const outcome = await perform(open(id, data));
      return secret.seal(writeOutcome(outcome), answerPurpose(id));
    },
    {
      prefix: secret.prefix,
      skipVersionCheck: true,
      connection: redis.openWaiting(),
      autorun: false,
      concurrency: TASKS_AT_ONCE,
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_MS / 2,
      maxStalledCount: MOST_LOSSES,
    },
  );
  jobs.on('error', (error) => log.debug({ err: error }, 'The queue of tasks failed.'));
  redis.onNews('ended', (ended) => {
    for (const [stop, run] of inHand) if (run === ended) stop.abort();
  });
  let problem = '';
  crew.onChange(() => {
    if (crew.problem !== problem && crew.problem !== '') log.warn(crew.problem);
    problem = crew.problem;
  });

  const open = (id: string, data: unknown): Work =>
    readWork(secret.open(jobData.parse(data).sealed, taskPurpose(id)));

  async function perform({ run, task }: Work): Promise<Outcome> {
    const stop = new AbortController();
    inHand.set(stop, run);
    try {
      // Not logged in any more, it throws, and another worker gets the task.
      const connection = await readiness.obtain(stop.signal);
      return await performWith(connection, { run, task }, stop.signal);
    } finally {
      inHand.delete(stop);
    }
  }

  async function performWith(
    connection: WorkerConnection,
    { run, task }: Work,
    signal: AbortSignal,
  ): Promise<Outcome> {
    try {
      const breaker = memory.breakerFor({ run, task }, config, connection);
      return await performTask(connection, task, breaker, signal);
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'A part of an analysis failed.');
      if (endsConnection(error)) await readiness.failed(error, connection);
      return { kind: 'failed', failure: describeFailure(error) };
    }
  }

  await readiness.start();
  return {
    async stop() {
      await crew.leave();
      await jobs.close();
      await readiness.stop();
      redis.close();
    },
  };
}
