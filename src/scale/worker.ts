import type { Logger } from '../base/logger.js';
import { toWireError } from '../base/wire-error.js';
import type { Config, Secrets } from '../config/schema.js';
import { connect } from '../run/connect.js';
import type { OwnConnection } from '../run/connection.js';
import { endsConnection } from '../run/ends-connection.js';
import { createEngine } from '../run/engine.js';
import type { Observer } from '../run/observer.js';
import { breakerFor, type CircuitBreaker } from '../run/read/circuit-breaker.js';
import { readPodParts } from '../run/read/pod-reader.js';
import { Readiness } from '../run/readiness.js';
import { type Outcome, type Part, partBounds, partSchema, queueNames } from './part-messages.js';
import { Presence, queueOf } from './presence.js';
import { repeat } from './repeat.js';
import { type BullWorker, SharedRedis, type StopListener } from './shared-redis.js';
import { deriveSharedSecret } from './shared-secret.js';

export interface ScaleSettings {
  config: Config;
  secrets: Secrets;
  redisUrl: string;
  version: string;
  log: Logger;
  observer: Observer;
}

/** A part that has brought down so many workers brings down every one. */
const MOST_LOSSES = 3;
/** As one machine begins. */
const FIRST_REQUESTS = 8;
const LOOK_MS = 5_000;

/**
 * Reads for whichever process has the turn; takes parts only while it can do them. Once stopped, it
 * ends when those in hand are done.
 */
export async function startWorker(settings: ScaleSettings): Promise<{ stop(): Promise<void> }> {
  const { config, secrets, redisUrl, version, log } = settings;
  const secret = await deriveSharedSecret(secrets.securityKey, config.analyser.web_id);
  const redis = new SharedRedis(redisUrl, secret.prefix, log);
  await redis.firstContact();
  const names = queueNames(version);
  const readPart = createPartReader(config);
  /** The run of each part in hand. */
  const inHand = new Map<string, string>();
  /** Takes no job: its name tells services that a worker of this version can read. */
  let sign: BullWorker | null = null;

  const readiness = createReadiness(settings, (isReady) => {
    void (isReady ? worker.resume() : worker.pause(true));
    if (isReady) sign ??= redis.openWorker(queueOf.worker, null, { name: version });
    else void sign?.close();
    if (!isReady) sign = null;
  });
  const worker = redis.openWorker(
    names.parts,
    async ({ id = '', data }, _token, signal = new AbortController().signal) => {
      const part = partSchema.parse(secret.open(data, `part ${id}`));
      inHand.set(id, part.run);
      try {
        // Not logged in any more, it throws, and another worker gets the part.
        const connection = await readiness.obtain(signal);
        const failed = async (error: unknown): Promise<Outcome> => {
          if (!signal.aborted) log.error({ err: error }, 'A part of an analysis failed.');
          if (endsConnection(error)) await readiness.failed(error, connection);
          return { kind: 'failed', error: toWireError(error) };
        };
        const outcome = await readPart(connection, part, signal).catch(failed);
        return secret.seal(outcome, `outcome ${id}`);
      } finally {
        inHand.delete(id);
      }
    },
    { concurrency: partBounds(config.scale).atOnce, maxStalledCount: MOST_LOSSES },
  );
  const stops = redis.follow(redis.openQueue(names.stops));
  stops.on<StopListener>('stop', ({ name }: { name: string }) => {
    for (const [id, run] of inHand) if (run === name) worker.cancelJob(id);
  });
  const presence = new Presence(redis, { role: 'worker', version });
  let told = '';
  void repeat(LOOK_MS, redis.closing, async () => {
    await presence.look().catch(() => undefined);
    if (presence.problem !== told && presence.problem !== '') log.warn(presence.problem);
    told = presence.problem;
  });
  await readiness.start();
  return {
    async stop() {
      await Promise.all([sign?.close(), worker.close()]);
      await readiness.stop();
      await redis.close();
    },
  };
}

function createReadiness(
  { config, secrets, log, observer }: ScaleSettings,
  onChange: (isReady: boolean) => void,
): Readiness<OwnConnection> {
  const { web_id, server_url } = config.analyser;
  const max = config.scale.requests_per_worker;
  const options = { observer, concurrency: { start: Math.min(FIRST_REQUESTS, max), max } };
  const connector = {
    ...createEngine(config, secrets, observer),
    connect: (signal: AbortSignal) => connect(config, secrets, signal, options),
  };
  return new Readiness(connector, {
    log,
    own: { webIds: [web_id], serverUrl: server_url },
    onChange({ ready: isReady }) {
      observer.ready(isReady);
      onChange(isReady);
    },
  });
}

/** Does a part as one machine would have done it. */
function createPartReader(config: Config) {
  let last = '';
  /** What one analysis has found out about the storage server holds for all its parts. */
  let breaker: CircuitBreaker | null = null;
  return async (
    { client, opener, pod }: OwnConnection,
    { run, task }: Part,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    if (task.kind === 'open') {
      // Whoever asks remembers what comes of it.
      opener.endRun();
      return { kind: 'opened', values: await opener.open(task.values, signal) };
    }
    const { recipients, rules, pods, folderKeys } = task;
    if (run !== last || breaker === null) breaker = breakerFor(config, pod, recipients);
    last = run;
    const filesAtOnce = partBounds(config.scale).requests;
    const options = { recipients, rules, breaker, filesAtOnce, signal };
    return { kind: 'read', parts: await readPodParts(client, { pods, folderKeys }, options) };
  };
}
