import type { Job } from 'bullmq';
import { waitFor } from '../base/on-abort.js';
import { toWireError } from '../base/wire-error.js';
import type { Config } from '../config/schema.js';
import { type Connection, connect } from '../run/connection.js';
import { Deadline } from '../run/read/deadline.js';
import { FilesReader } from '../run/read/read-files.js';
import { createConnector } from '../service/connector.js';
import { needsLogin, Readiness } from '../service/readiness.js';
import { type Part, partBounds, partSchema, partsName } from './parts-queue.js';
import { type BullWorker, openSharedRedis, type ScaleSettings } from './shared-redis.js';

/** Reads parts for the process that has the turn. Once stopped, it ends when the parts in hand are done. */
export async function startWorker(settings: ScaleSettings): Promise<{ stop(): Promise<void> }> {
  const { config, secrets, build, log, observe } = settings;
  const { secret, redis } = await openSharedRedis(settings);
  const readPart = createPartReader(config.scale);
  /** Open only while this process can read, because services count the connected workers. */
  let worker: BullWorker | null = null;
  let isStopping = false;

  // BullMQ passes a signal only to functions that declare three parameters without defaults.
  const perform = async ({ id = '', data }: Job, _token?: string, given?: AbortSignal) => {
    const signal = given ?? new AbortController().signal;
    const part = secret.open(partSchema, data, `part ${id}`);
    if (part === null) throw new Error('No process of this Analyser has sealed this part.');
    // Throws when the login is lost; then another worker gets the part.
    const connection = await readiness.obtain(signal);
    const failed = (error: unknown) => {
      if (!signal.aborted) log.error({ err: error }, 'A part of an analysis failed.');
      if (needsLogin(error)) readiness.failed(error, connection);
      return { value: null, error: toWireError(error) };
    };
    const reading = readPart(connection, part, signal).then((value) => ({ value, error: null }));
    return secret.seal(await reading.catch(failed), `outcome ${id}`);
  };

  const openWorker = (): BullWorker => {
    const concurrency = partBounds(config.scale).atOnce;
    const opened = redis.openWorker(partsName(build), perform, { concurrency });
    // Another worker has these parts by now, or they are no longer wanted.
    opened.on('lockRenewalFailed', (ids) => ids.forEach((id) => opened.cancelJob(id)));
    return opened;
  };

  const atOnce = config.scale.requests_per_worker;
  const connector = {
    ...createConnector(config, secrets, { observe }),
    connect: (signal: AbortSignal) => connect(config, secrets, signal, { observe, atOnce }),
  };
  const readiness = new Readiness<Connection>(connector, {
    log,
    own: { webIds: [config.analyser.web_id], serverUrl: config.analyser.server_url },
    onChange({ ready }) {
      observe({ kind: 'readiness', ready });
      if (!ready) void worker?.close();
      worker = ready && !isStopping ? (worker ?? openWorker()) : null;
    },
  });
  await readiness.start();
  return {
    async stop() {
      isStopping = true;
      // First, because the parts in hand need the login.
      await redis.close();
      await readiness.close();
    },
  };
}

type PartConnection = Pick<Connection, 'client' | 'pod' | 'renew'>;

/** Never aborts, since all parts of one piece of work share it; each part has a signal of its own. */
const { signal: never } = new AbortController();

/** Works on parts as a process without workers would. */
export function createPartReader(scale: Config['scale']) {
  /** Kept over all parts of one piece of work, as long as the login lasts. The renewal shows that it does. */
  let current: {
    workId: string;
    connection: PartConnection;
    renewed: Promise<void>;
    reader: FilesReader | null;
  } | null = null;

  return async (connection: PartConnection, { workId, task }: Part, signal: AbortSignal) => {
    const since = performance.now();
    signal.throwIfAborted();
    if (current?.workId !== workId || current.connection !== connection) {
      current = { workId, connection, renewed: connection.renew(never), reader: null };
    }
    const own = current;
    await waitFor(own.renewed, signal);
    const { files, forMs, rules, ...how } = task;
    const reader = (own.reader ??= new FilesReader(connection, rules));
    const atOnce = partBounds(scale).requests;
    const deadline = new Deadline(since + forMs, signal);
    try {
      return await reader.readPart(files, { ...how, atOnce, deadline });
    } finally {
      deadline.clear();
    }
  };
}
