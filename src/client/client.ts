/** The entry point of the npm package: everything that an app needs; nothing here logs. */

export { AnalyserError, type ErrorKind, ServerError, type ServerFailure } from '../base/errors.js';
export type { PodAverageDocument } from '../documents/published-document.js';
export {
  type AnalyseReply,
  AnalyseStatus,
  type CancelReply,
  CancelStatus,
  type StatusReply,
} from '../generated/healthpod/analyser/v1/analyser.js';
export type { AccountLogin } from '../solid/css-account.js';
export type { ClientCredentials } from '../solid/login/login.js';
export { type Added, addReadings } from './add-readings.js';
export {
  callAnalyse,
  callCancel,
  callStatus,
  createProofMetadata,
  type ProofMetadata,
} from './calls.js';
export { ClientError, type ClientErrorCode } from './client-error.js';
export { type DialSettings, dial, type ServiceConnection } from './dial.js';
export { type NewReading, parseNewReading } from './new-reading.js';
export {
  initialiseOwnPod,
  type OwnPodSettings,
  obtainCredentials,
  openOwnPod,
} from './open-own-pod.js';
export type { OwnPod } from './own-pod.js';
export {
  listReadings,
  readingAddress,
  readReadings,
  type StoredReading,
} from './readings.js';
export { type DateOrder, parseReadingsCsv } from './readings-csv.js';
export { type Removed, removeReadings } from './remove-readings.js';
export { renderReport } from './report.js';
export {
  chartOf,
  collectResult,
  type ResultSource,
  readResult,
  resultAddress,
} from './result.js';
export {
  type Analyser,
  type AnalysisOptions,
  type AnalysisOutcome,
  type AnalysisStep,
  runAnalysis,
} from './run-analysis.js';
export { revokeReadings, type ShareOptions, shareReadings } from './shares.js';
