import type { ServerUnaryCall } from '@grpc/grpc-js';
import { AnalyserError, ServerError } from '../base/errors.js';
import {
  type AnalyseReply,
  type AnalyseRequest,
  AnalyseStatus,
} from '../generated/healthpod/analyser/v1/analyser.js';
import type { AnalysisReport } from '../queue/analysis-report.js';
import { failureSentence } from '../queue/failure-sentence.js';
import { endsConnection } from '../run/ends-connection.js';
import { type Applicant, TooMany } from '../run/line.js';
import type { AnalysisWatch } from '../run/observer.js';
import type { Readiness } from '../run/readiness.js';
import { RunControl } from '../run/run-control.js';
import { toReply, withoutResult } from './analyse-reply.js';
import type { ServiceParts } from './service-parts.js';
import { requireWebId } from './wrong-call.js';

const failed = AnalyseStatus.ANALYSE_STATUS_FAILED;

/** Waits for a turn, runs one analysis and answers with what came of it. */
export async function analyse<Connection>(
  parts: ServiceParts<Connection>,
  call: ServerUnaryCall<AnalyseRequest, AnalyseReply>,
): Promise<AnalyseReply> {
  const { web_id, shared_file_count: sharedFileCount, requested_at } = call.request;
  requireWebId(web_id);
  try {
    await parts.proof?.require(call.metadata, web_id, call.getPath());
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    parts.log.warn({ err: error }, 'The proof of a caller could not be checked.');
    return withoutResult(failed, failureSentence(error));
  }
  const caller = parts.engine.identify(web_id);
  if (caller === null) {
    return withoutResult(
      failed,
      'web_id is not a WebID: it must be a URL that ends in /profile/card#me.',
    );
  }
  parts.log.debug({ web_id: caller, requested_at: requested_at.slice(0, 40) }, 'Analyse.');
  // The call is kept while it waits; text of any size must not be kept with it.
  call.request.requested_at = '';
  const control = new RunControl();
  const hangUp = () => control.stop('caller gone');
  call.on('cancelled', hangUp);
  if (call.cancelled) hangUp();
  const traceparent = call.metadata.get('traceparent')[0]?.toString();
  try {
    return await parts.observer.analysis(traceparent, (watch) =>
      answer(parts, { caller, peer: addressOf(call.getPeer()), sharedFileCount, control }, watch),
    );
  } finally {
    call.off('cancelled', hangUp);
  }
}

interface Question extends Applicant {
  caller: string;
  sharedFileCount: number;
}

async function answer<Connection>(
  parts: ServiceParts<Connection>,
  { caller, peer, sharedFileCount, control }: Question,
  watch: AnalysisWatch,
): Promise<AnalyseReply> {
  const arrived = performance.now();
  try {
    const report = await parts.line.take({ caller, peer, control }, () => {
      watch.began();
      return runOnce(parts, caller, control, arrived);
    });
    watch.ended(report.status);
    return toReply(report, sharedFileCount, {
      webIds: [caller, parts.analyser.web_id],
      serverUrl: parts.analyser.server_url,
    });
  } catch (error) {
    // Whatever a stopped analysis stumbles over on its way out, the stop is why it ended.
    const cause: unknown = control.signal.aborted ? control.signal.reason : error;
    const outcome =
      cause instanceof AnalyserError && cause.kind === 'cancelled' ? 'CANCELLED' : 'FAILED';
    watch.ended(outcome);
    const status = AnalyseStatus[`ANALYSE_STATUS_${outcome}`];
    const message = cause instanceof TooMany ? cause.message : failureSentence(cause);
    return withoutResult(status, message, control.runId);
  }
}

async function runOnce<Connection>(
  { engine, readiness, timeoutSeconds, log }: ServiceParts<Connection>,
  caller: string,
  control: RunControl,
  arrived: number,
): Promise<AnalysisReport> {
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

/** `192.0.2.1:1234` or `2001:db8::1:1234`, without the port. */
function addressOf(peer: string): string {
  return peer.slice(0, Math.max(peer.lastIndexOf(':'), 0));
}
