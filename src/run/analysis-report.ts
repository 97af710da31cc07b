import { AnalyserError, type ErrorKind, ServerError, type ServerFailure } from '../base/errors.js';

/**
 * What one caller is told of an analysis; field names are those of AnalyseReply. A stranger can call in somebody's
 * name, so the report holds statuses and counts, and nothing that only a reader of the result may know.
 */
export interface AnalysisReport {
  status: 'COMPLETED' | 'CANCELLED' | 'NO_DATA' | 'FAILED';
  /** Empty when the call has left no run document, or failed. */
  run_id: string;
  generated_at: string;
  /** A sentence for the caller. It names Pods, WebIDs and URLs only of the caller and of the Analyser. */
  message: string;
  /** Whether the message names addresses that are not for everybody: then it is for the caller alone. */
  isPersonal: boolean;
  result_url: string;
  pod_count: number;
  observation_count: number;
  files_read: number;
  files_skipped: number;
  published: boolean;
}

export function reportWithoutResult(
  status: AnalysisReport['status'],
  message: string,
): AnalysisReport {
  return {
    status,
    run_id: '',
    generated_at: '',
    message,
    isPersonal: false,
    result_url: '',
    pod_count: 0,
    observation_count: 0,
    files_read: 0,
    files_skipped: 0,
    published: false,
  };
}

export function reportOfFailure(error: unknown): AnalysisReport {
  return reportWithoutResult('FAILED', failureSentence(error));
}

export function hasSucceeded({ status }: Pick<AnalysisReport, 'status'>): boolean {
  return status === 'COMPLETED' || status === 'NO_DATA';
}

/** Whether the report tells of a run document: there is one, unless nothing is known of the caller. */
export function hasRunDocument(report: AnalysisReport): boolean {
  return hasSucceeded(report) && report.run_id !== '';
}

const unreachable = 'The storage server could not be reached. Try again later.';
const refused =
  'The storage server refused something that the analysis cannot do without. ' +
  'The log of the service says what.';
const internal = 'The analysis failed inside the service. The log of the service says why.';

const login =
  'The storage server refused the login of the Analyser: its credentials have expired or ' +
  'were revoked. The next call logs in afresh.';

const ofStatus: Readonly<Record<number, string>> = {
  401: login,
  403:
    'The storage server does not let the Analyser read or write its own Pod (HTTP 403): its ' +
    'client credentials may be bound to another WebID.',
  413:
    'The storage server takes no more from the Analyser (HTTP 413): the quota of its Pod is full. ' +
    'Its operator has to raise it or make room.',
  507: 'The disk of the storage server is full. Its operator has to make room.',
};

const ofFailure: Record<ServerFailure, string> = {
  unreachable,
  slow: 'The storage server did not answer in time. Try again later.',
  unavailable: 'The storage server is overloaded or out of order. Try again later.',
  login,
  'too-large': refused,
  'forbidden-address': refused,
  refused,
};

const ofKind: Record<Exclude<ErrorKind, 'server' | 'cancelled' | 'timeout' | 'redis'>, string> = {
  configuration: 'The service is not configured correctly. The log of the service says why.',
  keys:
    'The Analyser Pod could not be unlocked. Its operator has to check the security key and ' +
    'the encryption keys in the Pod.',
  malformed:
    'A document that the analysis cannot do without is damaged. ' +
    'The log of the service says which.',
  disk: 'The service could not write to its own disk. The log of the service says why.',
  port: internal,
  call: internal,
};

/**
 * The sentence about the failure of an analysis for all its callers. The message of an error can name somebody else's
 * Pod, so it goes to the log; callers get one fixed sentence for each kind. Why a result did not reach a caller's own Pod
 * is told to that caller in the words of the error (build-report.ts).
 */
export function failureSentence(error: unknown): string {
  if (!(error instanceof AnalyserError)) return internal;
  if (error instanceof ServerError) {
    return ofStatus[error.details.status ?? 0] ?? ofFailure[error.failure];
  }
  switch (error.kind) {
    case 'cancelled':
    case 'timeout':
    case 'redis':
      // These messages are written for callers.
      return error.message;
    case 'server':
      return unreachable;
    default:
      return ofKind[error.kind];
  }
}
