import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { AnalyserError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { failureSentence } from '../cycle/failure-sentence.js';
import { RunControl } from '../cycle/run-control.js';
import type { RunReport } from '../cycle/run-report.js';
import {
  type AnalyseReply,
  type AnalyseRequest,
  type AnalyserServer,
  AnalyseStatus,
  type CancelReply,
  type CancelRequest,
  CancelStatus,
} from '../generated/healthpod/analyser/v1/analyser.js';
import { endsConnection } from './ends-connection.js';
import type { Engine } from './engine.js';
import { withoutForeignAddresses } from './own-addresses.js';
import type { Readiness } from './readiness.js';
import type { Turns } from './turns.js';

interface Parts<Connection> {
  engine: Engine<Connection>;
  readiness: Readiness<Connection>;
  turns: Turns;
  analyser: { web_id: string; server_url: string };
  timeoutSeconds: number;
  log: Logger;
}

/** The three calls. Only Analyse ever waits; the others answer from memory. */
export function createAnalyserService<Connection>(parts: Parts<Connection>): AnalyserServer {
  const lastRun = { id: '', at: '' };
  return {
    analyse: answering(async (call) => {
      const reply = await analyse(parts, call);
      if (isRecorded(reply)) Object.assign(lastRun, { id: reply.run_id, at: reply.generated_at });
      return reply;
    }),
    cancel: answering((call) => cancel(parts, call.request)),
    status: answering(() => ({
      ready: parts.readiness.ready,
      analyser_web_id: parts.analyser.web_id,
      active_runs: parts.turns.inHand,
      last_run_id: lastRun.id,
      last_run_at: lastRun.at,
      message: parts.readiness.reason,
    })),
  };
}

async function analyse<Connection>(
  parts: Parts<Connection>,
  call: ServerUnaryCall<AnalyseRequest, AnalyseReply>,
): Promise<AnalyseReply> {
  const { web_id: caller, shared_file_count: sharedFileCount } = call.request;
  requireWebId(caller);
  if (!parts.engine.isWebId(caller)) {
    return withoutResult(
      AnalyseStatus.ANALYSE_STATUS_FAILED,
      'web_id is not a WebID: it must be a URL that ends in /profile/card#me.',
    );
  }
  const control = new RunControl();
  const hangUp = () => control.stop('caller gone');
  call.on('cancelled', hangUp);
  if (call.cancelled) hangUp();
  const arrived = performance.now();
  try {
    const report = await parts.turns.take(caller, control, () => {
      parts.log.debug(
        { web_id: caller, requested_at: call.request.requested_at.slice(0, 40) },
        'The caller has its turn.',
      );
      return runOnce(parts, caller, control, arrived);
    });
    return toReply(report, caller, sharedFileCount, parts);
  } catch (error) {
    // Whatever a stopped analysis stumbles over on its way out, the stop is why it ended.
    const cause: unknown = control.signal.aborted ? control.signal.reason : error;
    const outcome =
      cause instanceof AnalyserError && cause.kind === 'cancelled'
        ? AnalyseStatus.ANALYSE_STATUS_CANCELLED
        : AnalyseStatus.ANALYSE_STATUS_FAILED;
    return withoutResult(outcome, failureSentence(cause), control.runId);
  } finally {
    call.off('cancelled', hangUp);
  }
}

async function runOnce<Connection>(
  { engine, readiness, timeoutSeconds, log }: Parts<Connection>,
  caller: string,
  control: RunControl,
  arrived: number,
): Promise<RunReport> {
  const began = performance.now();
  log.info({ waited_ms: Math.round(began - arrived) }, 'An analysis starts.');
  const end = (level: 'info' | 'error', fields: object, message: string) =>
    log[level](
      { run_id: control.runId, duration_ms: Math.round(performance.now() - began), ...fields },
      message,
    );
  let connection: Connection | null = null;
  try {
    connection = await connect(readiness, control, timeoutSeconds);
    const report = await engine.run(connection, caller, control);
    const { run_id, status: outcome, pod_count, files_read, files_skipped } = report;
    end(
      'info',
      { run_id, status: outcome, pod_count, files_read, files_skipped },
      'An analysis ends.',
    );
    return report;
  } catch (error) {
    if (control.signal.aborted) {
      end('info', { reason: failureSentence(control.signal.reason) }, 'An analysis was stopped.');
    } else {
      end('error', { err: error }, 'An analysis failed.');
      if (connection !== null && endsConnection(error)) await readiness.drop(connection, error);
    }
    throw error;
  }
}

/** The run times itself; until it can, the same limit holds for getting ready. */
async function connect<Connection>(
  readiness: Readiness<Connection>,
  control: RunControl,
  timeoutSeconds: number,
): Promise<Connection> {
  const timer = setTimeout(() => control.stop('timeout'), timeoutSeconds * 1000);
  try {
    return await readiness.obtain(control.signal);
  } finally {
    clearTimeout(timer);
  }
}

function cancel<Connection>(
  { turns, log }: Parts<Connection>,
  request: CancelRequest,
): CancelReply {
  requireWebId(request.web_id);
  const found = turns.cancel(request.web_id);
  const stopped = found.filter((run) => run.stopped);
  log.debug({ web_id: request.web_id.slice(0, 200), stopped: stopped.length }, 'Cancel.');
  const run_id =
    (stopped.length > 0 ? stopped : found).find((run) => run.runId !== '')?.runId ?? '';
  if (stopped.length > 0) {
    return {
      status: CancelStatus.CANCEL_STATUS_STOPPED,
      message: 'The analysis is being stopped; nothing of it is kept.',
      run_id,
    };
  }
  return {
    status: CancelStatus.CANCEL_STATUS_NOTHING_RUNNING,
    message:
      found.length > 0
        ? 'The analysis has passed its last checkpoint; its result is on its way.'
        : 'No analysis is running or waiting for this WebID.',
    run_id,
  };
}

function toReply<Connection>(
  report: RunReport,
  caller: string,
  sharedFileCount: number,
  { analyser }: Parts<Connection>,
): AnalyseReply {
  const message = withoutForeignAddresses(report.message, {
    webIds: [caller, analyser.web_id],
    serverUrl: analyser.server_url,
  });
  const reply = { ...report, status: AnalyseStatus[`ANALYSE_STATUS_${report.status}`], message };
  const inView = report.files_read + report.files_skipped;
  if (!isRecorded(reply) || sharedFileCount <= inView) return reply;
  const partial = `You shared ${sharedFileCount} files, of which ${inView} were in view of this analysis.`;
  return { ...reply, message: [message, partial].filter((text) => text !== '').join(' ') };
}

/** A run whose results document exists; the others leave no trace. */
function isRecorded(reply: AnalyseReply): boolean {
  return (
    reply.status === AnalyseStatus.ANALYSE_STATUS_COMPLETED ||
    reply.status === AnalyseStatus.ANALYSE_STATUS_NO_DATA
  );
}

function withoutResult(outcome: AnalyseStatus, message: string, run_id = ''): AnalyseReply {
  return {
    status: outcome,
    run_id,
    message,
    result_url: '',
    generated_at: '',
    pod_count: 0,
    observation_count: 0,
    files_read: 0,
    files_skipped: 0,
    published: false,
  };
}

/** A wrong call: the one thing that is a gRPC error and not a reply. */
class WrongCall extends Error {}

function requireWebId(text: string): void {
  if (text.trim() === '') throw new WrongCall('web_id is missing: name the WebID of the caller.');
}

/** Every call is answered exactly once, here. */
function answering<Request, Reply>(
  handle: (call: ServerUnaryCall<Request, Reply>) => Reply | Promise<Reply>,
): handleUnaryCall<Request, Reply> {
  return (call, callback) => {
    void Promise.resolve(call)
      .then(handle)
      .then(
        (reply) => callback(null, reply),
        (error: unknown) =>
          callback(
            error instanceof WrongCall
              ? { code: status.INVALID_ARGUMENT, details: error.message }
              : { code: status.INTERNAL, details: failureSentence(error) },
          ),
      );
  };
}
