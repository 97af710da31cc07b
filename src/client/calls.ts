import type { CallOptions, ClientUnaryCall, Metadata, ServiceError } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { AnalyserError } from '../base/errors.js';
import type {
  AnalyseReply,
  CancelReply,
  StatusReply,
} from '../generated/healthpod/analyser/v1/analyser.js';
import type { WebIdHolder } from '../solid/solid-client.js';
import { ClientError, type ClientErrorCode } from './client-error.js';
import type { ServiceConnection } from './dial.js';
import { createProofMetadata } from './proof-metadata.js';
import { aborted, translateErrors } from './translate-errors.js';

/** The app's own deadlines. */
const analyseMs = 6 * 60_000;
const answeredFromMemoryMs = 10_000;

export interface CallLimits {
  deadlineMs?: number;
  /** Hangs up, which cancels an Analyse call. */
  signal?: AbortSignal | undefined;
  /** A login of the WebID, for a service that asks for a proof. */
  login?: WebIdHolder | undefined;
}

/** Asks for one analysis for the WebID; resolves when it has ended, with any outcome. */
export async function callAnalyse(
  connection: ServiceConnection,
  webId: string,
  sharedFileCount: number,
  { deadlineMs = analyseMs, signal, login }: CallLimits = {},
): Promise<AnalyseReply> {
  const request = { web_id: webId, shared_file_count: sharedFileCount, requested_at: now() };
  const proved = await translateErrors(signal, () =>
    withProof(connection, login, 'analyse', signal),
  );
  return await call(proved, deadlineMs, signal, (metadata, options, done) =>
    connection.client.analyse(request, metadata, options, done),
  );
}

/** Stops every analysis for the WebID, running or waiting. */
export async function callCancel(
  connection: ServiceConnection,
  webId: string,
  { deadlineMs = answeredFromMemoryMs, signal, login }: CallLimits = {},
): Promise<CancelReply> {
  const request = { web_id: webId, requested_at: now() };
  const proved = await translateErrors(signal, () =>
    withProof(connection, login, 'cancel', signal),
  );
  return await call(proved, deadlineMs, signal, (metadata, options, done) =>
    connection.client.cancel(request, metadata, options, done),
  );
}

/** Asks whether the service is ready, and which Analyser Pod it acts for. */
export function callStatus(
  connection: ServiceConnection,
  { deadlineMs = answeredFromMemoryMs, signal }: CallLimits = {},
): Promise<StatusReply> {
  return call(connection, deadlineMs, signal, (metadata, options, done) =>
    connection.client.status({}, metadata, options, done),
  );
}

async function withProof(
  connection: ServiceConnection,
  login: WebIdHolder | undefined,
  name: 'analyse' | 'cancel',
  signal: AbortSignal | undefined,
): Promise<ServiceConnection> {
  const { publicUrl } = connection;
  if (publicUrl === null || login === undefined) return connection;
  const metadata = connection.metadata.clone();
  const proof = await createProofMetadata(login, publicUrl, name, signal);
  for (const [key, value] of Object.entries(proof)) metadata.set(key, value);
  return { ...connection, metadata, isClosed: connection.isClosed };
}

type Done<Reply> = (error: ServiceError | null, reply: Reply) => void;

function call<Reply>(
  { metadata, address, isClosed }: ServiceConnection,
  deadlineMs: number,
  signal: AbortSignal | undefined,
  make: (metadata: Metadata, options: Partial<CallOptions>, done: Done<Reply>) => ClientUnaryCall,
): Promise<Reply> {
  if (signal?.aborted === true) return Promise.reject(aborted(signal));
  if (isClosed) {
    const message = `The connection to ${address} was closed; dial again.`;
    return Promise.reject(new ClientError('closed', message));
  }
  return new Promise((resolve, reject) => {
    const hangUp = () => call.cancel();
    const call = make(metadata, { deadline: Date.now() + deadlineMs }, (error, reply) => {
      signal?.removeEventListener('abort', hangUp);
      if (error === null) resolve(reply);
      else
        reject(
          signal?.aborted === true ? hungUp(signal) : couldNotCall(error, address, deadlineMs),
        );
    });
    signal?.addEventListener('abort', hangUp, { once: true });
  });
}

function hungUp(signal: AbortSignal): ClientError {
  const message = 'Hung up; the service cancels the analysis.';
  return new ClientError('aborted', message, { cause: signal.reason });
}

/** One sentence on what to do, for each way in which a call can fail. */
function couldNotCall(error: ServiceError, address: string, deadlineMs: number): AnalyserError {
  const sentence = sentenceOf(error, address, deadlineMs);
  const code = isAboutProof(error) ? 'proof-rejected' : codes[error.code];
  return code === undefined
    ? new AnalyserError('call', sentence, { cause: error })
    : new ClientError(code, sentence, { cause: error });
}

const codes: Partial<Record<status, ClientErrorCode>> = {
  [status.UNAUTHENTICATED]: 'token-rejected',
  [status.UNAVAILABLE]: 'unreachable',
  [status.DEADLINE_EXCEEDED]: 'unreachable',
};

/** The gRPC status is the same as for a wrong token; only the words differ. */
function isAboutProof({ code, details }: ServiceError): boolean {
  return code === status.UNAUTHENTICATED && /WebID/.test(details);
}

function sentenceOf(error: ServiceError, address: string, deadlineMs: number): string {
  const { code, details } = error;
  if (isAboutProof(error)) {
    return `The service at ${address} asks for a proof of the WebID and got none that holds: ${details}`;
  }
  switch (code) {
    case status.UNAUTHENTICATED:
      return `The service at ${address} rejected the token; grpc.token (APP_ANALYSER_GRPC_TOKEN) must be the same on both sides.`;
    case status.DEADLINE_EXCEEDED:
      return `The service at ${address} gave no answer within ${deadlineMs / 1000} seconds; see its log and its Status.`;
    case status.INVALID_ARGUMENT:
      return `The service at ${address} refused the call: ${details}`;
    case status.UNIMPLEMENTED:
      return `What answers at ${address} is not the analyser; check grpc.host and grpc.port.`;
    case status.UNAVAILABLE:
      return unavailable(details, address);
    default:
      return `The call to ${address} failed: ${details}.`;
  }
}

function unavailable(details: string, address: string): string {
  if (/ECONNREFUSED/.test(details)) {
    return `Nothing is listening on ${address}; start the service with the mode grpc, or check grpc.host and grpc.port.`;
  }
  if (/ENOTFOUND|EAI_AGAIN|Name resolution/.test(details)) {
    return `The name in ${address} is not known; check grpc.host.`;
  }
  if (/certificate|altname|unable to verify|self.signed/i.test(details)) {
    return `The certificate shown at ${address} is not trusted; grpc.tls_cert_file must be the one that the service uses, and not expired.`;
  }
  if (
    /SSL|ECONNRESET|EPROTO|wrong version|protocol|dropped|socket|failed to connect/i.test(details)
  ) {
    return `The connection to ${address} broke; check that the service is still running and that TLS is set alike on both sides.`;
  }
  return `The service at ${address} could not be reached: ${details}.`;
}

function now(): string {
  return new Date().toISOString();
}
