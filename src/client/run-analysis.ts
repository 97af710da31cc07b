import { messageOf } from '../base/errors.js';
import type { PodAverageDocument } from '../documents/published-document.js';
import {
  type AnalyseReply,
  AnalyseStatus,
  type CancelReply,
  CancelStatus,
  type StatusReply,
} from '../generated/healthpod/analyser/v1/analyser.js';
import { callAnalyse, callCancel, callStatus } from './calls.js';
import { ClientError } from './client-error.js';
import { type DialSettings, dial, type ServiceConnection } from './dial.js';
import type { OwnPod } from './own-pod.js';
import { listReadings } from './readings.js';
import { collectResult, type ResultSource, readResult } from './result.js';
import { findUnshared, requireInitialised, shareReadings } from './shares.js';
import { workOn } from './translate-errors.js';

export interface Analyser extends ResultSource {
  service: DialSettings;
}

export type AnalysisStep =
  | { step: 'checked'; status: StatusReply }
  | { step: 'sharing'; done: number; all: number }
  | { step: 'analysing' }
  | { step: 'replied'; reply: AnalyseReply }
  | { step: 'collecting'; attempt: number };

export interface AnalysisOptions {
  /** Asked with the number of readings to share; false shares nothing. */
  confirm?: ((readings: number) => boolean | Promise<boolean>) | undefined;
  shareAgain?: boolean | undefined;
  onStep?: ((step: AnalysisStep) => void) | undefined;
  /** Stops in any step, and cancels the analysis if it was asked for. Readings already shared stay shared. */
  signal?: AbortSignal | undefined;
}

export type AnalysisOutcome =
  | {
      kind: 'completed';
      /** Null if the connection was lost in the middle, and the new result was found afterwards. */
      reply: AnalyseReply | null;
      result: PodAverageDocument;
      readings: number;
      /** How many of the files with readings the Analyser has read or skipped. */
      inView: number;
      /** Whether `result` is of a later analysis than this one, judged by its `generated_at`. */
      isNewer: boolean;
    }
  /** The reply is COMPLETED, but the Pod has no result of this analysis; the reply's message says why. */
  | { kind: 'unpublished'; reply: AnalyseReply }
  /** The reply is NO_DATA or FAILED, or CANCELLED by somebody else. */
  | { kind: 'without-result'; reply: AnalyseReply }
  | { kind: 'no-readings' }
  | { kind: 'declined' }
  /** No analysis goes on. `reply` is the word of the service; null if it was not asked for an analysis yet. */
  | { kind: 'cancelled'; reply: CancelReply | null }
  /** The signal came after the last checkpoint: `readResult` reads the result of this run. */
  | { kind: 'too-late'; runId: string }
  /** The signal came, but the service did not confirm the Cancel: the analysis may go on. */
  | { kind: 'cancel-undelivered'; reason: string };

export async function runAnalysis(
  ownPod: OwnPod,
  analyser: Analyser,
  options: AnalysisOptions = {},
): Promise<AnalysisOutcome> {
  const connection = dial(analyser.service);
  const progress = { isAsked: false };
  const onSent = () => {
    progress.isAsked = true;
  };
  try {
    return await followProtocol(ownPod, analyser, connection, { ...options, onSent });
  } catch (error) {
    if (options.signal?.aborted !== true) throw error;
    // A Cancel stops every analysis for the WebID. If none was asked for here, it could only stop that of another device.
    return progress.isAsked
      ? await sendCancel(connection, ownPod)
      : { kind: 'cancelled', reply: null };
  } finally {
    connection.close();
  }
}

async function followProtocol(
  ownPod: OwnPod,
  analyser: Analyser,
  connection: ServiceConnection,
  { confirm, shareAgain, onStep, signal, onSent }: AnalysisOptions & { onSent: () => void },
): Promise<AnalysisOutcome> {
  const { analyserWebId } = analyser;
  signal?.throwIfAborted();
  const readings = await listReadings(ownPod, signal);
  if (readings.length === 0) return { kind: 'no-readings' };
  // First, as it tells whether this is the Analyser at all.
  const status = await callStatus(connection, { signal });
  requireReady(status, analyserWebId, connection.address);
  await workOn(ownPod, signal, (ownPod) => requireInitialised(ownPod, analyserWebId));
  onStep?.({ step: 'checked', status });

  const wanted = shareAgain
    ? readings
    : await workOn(ownPod, signal, (own) => findUnshared(own, analyserWebId, readings));
  if (wanted.length > 0 && confirm && !(await confirm(wanted.length))) return { kind: 'declined' };
  signal?.throwIfAborted();

  const before = readings.length - wanted.length;
  await shareReadings(ownPod, analyserWebId, wanted, {
    again: true,
    onProgress: (done) => onStep?.({ step: 'sharing', done: before + done, all: readings.length }),
    signal,
  });

  const completed = (result: PodAverageDocument, reply: AnalyseReply | null): AnalysisOutcome => {
    const inView = result.pod.files_read + result.pod.files_skipped;
    const isNewer = reply !== null && result.generated_at !== reply.generated_at;
    return { kind: 'completed', reply, result, readings: readings.length, inView, isNewer };
  };
  const ask = () => {
    onStep?.({ step: 'analysing' });
    const limits = { signal, login: ownPod.client, onSent };
    return callAnalyse(connection, ownPod.pod.webId, readings.length, limits);
  };
  const find = () => findResult(ownPod, analyser, signal);
  const reply = await askOrFind(ask, find);
  if ('kind' in reply) return completed(reply, null);
  onStep?.({ step: 'replied', reply });
  if (reply.status !== AnalyseStatus.ANALYSE_STATUS_COMPLETED) {
    return { kind: 'without-result', reply };
  }
  try {
    const result = reply.published
      ? await collectResult(ownPod, analyser, reply.generated_at, {
          onAttempt: (attempt) => onStep?.({ step: 'collecting', attempt }),
          signal,
        })
      : await find();
    // The key of a result stays the same, so one whose key was not handed over this time opens with that of last time.
    const isFound = reply.published || result?.generated_at === reply.generated_at;
    return result !== null && isFound ? completed(result, reply) : { kind: 'unpublished', reply };
  } catch (error) {
    // The analysis has ended, so there is nothing left to cancel.
    if (signal?.aborted === true) return { kind: 'too-late', runId: reply.run_id };
    throw error;
  }
}

/** A lost connection ends the analysis, unless it was about to publish: then a result has another `generated_at`. */
async function askOrFind(
  ask: () => Promise<AnalyseReply>,
  find: () => Promise<PodAverageDocument | null>,
): Promise<AnalyseReply | PodAverageDocument> {
  const earlier = await find();
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'unreachable') throw error;
    const result = await find();
    const isSame = earlier === null || result?.generated_at === earlier.generated_at;
    return isSame || result === null ? await ask() : result;
  }
}

async function findResult(
  ownPod: OwnPod,
  analyser: ResultSource,
  signal: AbortSignal | undefined,
): Promise<PodAverageDocument | null> {
  try {
    return await readResult(ownPod, analyser, signal);
  } catch (error) {
    if (error instanceof ClientError && error.code !== 'aborted') return null;
    throw error;
  }
}

function requireReady(status: StatusReply, analyserWebId: string, address: string): void {
  // Checked first, because a service for another Analyser is wrong even if it is ready.
  if (status.analyser_web_id !== analyserWebId) {
    throw new ClientError(
      'wrong-analyser',
      `The service at ${address} acts for ${status.analyser_web_id}, not for ${analyserWebId}. ` +
        'Nothing was shared; correct the WebID of the Analyser or the address of the service.',
    );
  }
  if (!status.ready) {
    throw new ClientError(
      'not-ready',
      `The service at ${address} is not ready, so nothing was shared: ${status.message}`,
    );
  }
}

async function sendCancel(connection: ServiceConnection, ownPod: OwnPod): Promise<AnalysisOutcome> {
  try {
    const reply = await callCancel(connection, ownPod.pod.webId, { login: ownPod.client });
    switch (reply.status) {
      case CancelStatus.CANCEL_STATUS_STOPPED:
        return { kind: 'cancelled', reply };
      case CancelStatus.CANCEL_STATUS_NOTHING_RUNNING:
        // The reply names the run that the Cancel could not stop any more.
        if (reply.run_id !== '') return { kind: 'too-late', runId: reply.run_id };
        return { kind: 'cancelled', reply };
      default:
        return { kind: 'cancel-undelivered', reason: reply.message || 'the service refused' };
    }
  } catch (error) {
    return { kind: 'cancel-undelivered', reason: messageOf(error) };
  }
}
