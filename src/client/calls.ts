import {
  type CallOptions,
  type ClientUnaryCall,
  type Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { countOf } from '../base/sentences.js';
import {
  type AnalyseReply,
  AnalyserService,
  type CancelReply,
  type StatusReply,
} from '../generated/healthpod/analyser/v1/analyser.js';
import { type CallRefusal, refusalName } from '../ports/call-refusal.js';
import { isOfOpenSsl } from '../solid/requests/transport.js';
import type { WebIdHolder } from '../solid/solid-client.js';
import { ClientError, type ClientErrorCode } from './client-error.js';
import type { ServiceConnection } from './dial.js';
import { translateErrors } from './translate-errors.js';

/** The app's own deadlines. */
const deadlinesMs = { analyse: 6 * 60_000, cancel: 10_000, status: 10_000 };

interface CallLimits {
  /** Default: six minutes for Analyse, ten seconds for the others. */
  deadlineMs?: number;
  /** An abort hangs up, and the service then cancels an Analyse. */
  signal?: AbortSignal | undefined;
  /** A login of the WebID, for a service that asks for a proof. */
  login?: WebIdHolder | undefined;
  /** Called when the call leaves; before that, the service knows nothing of it. */
  onSent?: (() => void) | undefined;
}

/** Asks for one analysis for the WebID; resolves when the analysis has ended, whatever its outcome. */
export function callAnalyse(
  connection: ServiceConnection,
  webId: string,
  sharedFileCount: number,
  limits: CallLimits = {},
): Promise<AnalyseReply> {
  const request = { web_id: webId, shared_file_count: sharedFileCount, requested_at: now() };
  return call(connection, 'analyse', limits, (metadata, ...rest) =>
    connection.client.analyse(request, metadata, ...rest),
  );
}

/** Asks the service to stop every analysis for the WebID, running or waiting. */
export function callCancel(
  connection: ServiceConnection,
  webId: string,
  limits: CallLimits = {},
): Promise<CancelReply> {
  const request = { web_id: webId, requested_at: now() };
  return call(connection, 'cancel', limits, (metadata, ...rest) =>
    connection.client.cancel(request, metadata, ...rest),
  );
}

/** Asks whether the service is ready, and which Analyser Pod it acts for. */
export function callStatus(
  connection: ServiceConnection,
  limits: CallLimits = {},
): Promise<StatusReply> {
  return call(connection, 'status', limits, (metadata, ...rest) =>
    connection.client.status({}, metadata, ...rest),
  );
}

type Done<Reply> = (error: ServiceError | null, reply: Reply) => void;

function call<Reply>(
  connection: ServiceConnection,
  name: keyof typeof deadlinesMs,
  { deadlineMs = deadlinesMs[name], signal, login, onSent }: CallLimits,
  make: (metadata: Metadata, options: Partial<CallOptions>, done: Done<Reply>) => ClientUnaryCall,
): Promise<Reply> {
  const { address, publicUrl } = connection;
  return translateErrors(signal, async () => {
    const metadata = connection.metadata.clone();
    if (publicUrl !== null && login !== undefined && name !== 'status') {
      const proof = await createProofMetadata(login, publicUrl, name, signal);
      for (const [key, value] of Object.entries(proof)) metadata.set(key, value);
    }
    signal?.throwIfAborted();
    if (connection.isClosed) {
      throw new ClientError('closed', `The connection to ${address} was closed; dial again.`);
    }
    return await new Promise((resolve, reject) => {
      const hangUp = () => call.cancel();
      const call = make(metadata, { deadline: Date.now() + deadlineMs }, (error, reply) => {
        signal?.removeEventListener('abort', hangUp);
        if (error === null) resolve(reply);
        else reject(couldNotCall(error, connection, deadlineMs));
      });
      signal?.addEventListener('abort', hangUp, { once: true });
      onSent?.();
    });
  });
}

function couldNotCall(
  cause: ServiceError,
  { address }: ServiceConnection,
  deadlineMs: number,
): ClientError {
  const { code, details } = cause;
  const service = `The service at ${address}`;
  const failure = (code: ClientErrorCode, message: string, hint = '') =>
    new ClientError(code, message, { cause, hint });
  switch (code) {
    case status.UNAUTHENTICATED:
      return cause.metadata.get(refusalName).includes('proof-rejected' satisfies CallRefusal)
        ? failure(
            'proof-rejected',
            `${service} asks for a proof of the WebID and got none that holds: ${details}`,
          )
        : failure(
            'token-rejected',
            `${service} asks for a token and got none that is right.`,
            'The token must be that of the service, without the quotes around it in config.env. The modes app … take it as grpc.token of app.yaml; all modes as APP_ANALYSER_GRPC_TOKEN.',
          );
    case status.DEADLINE_EXCEEDED:
      return failure(
        'unreachable',
        `${service} gave no answer within ${countOf(deadlineMs / 1000, 'second')}.`,
        'See its log and its Status.',
      );
    case status.UNAVAILABLE:
      return failure(
        'unreachable',
        `${service} could not be reached: ${reasonIn(details)}.`,
        'Check host and port, that the service runs, and that TLS is set alike on both sides. The modes app … take it as grpc.tls and grpc.tls_cert_file of app.yaml; in the library, certificateFile must be that of the service or of its issuer.',
      );
    case status.UNIMPLEMENTED:
      return failure('call-refused', `What answers at ${address} is not the analyser.`);
    default:
      return failure('call-refused', `${service} refused the call: ${details}`);
  }
}

function reasonIn(details: string): string {
  const lastTry = /Last error: (?:Error: )?(.*?)(?: \(\d{4}-.*?\))?\. Resolution note/s;
  const [, reason = details] = lastTry.exec(details) ?? [];
  return isOfOpenSsl(reason) ? 'it does not speak TLS' : reason;
}

function now(): string {
  return new Date().toISOString();
}

export type ProofMetadata = Record<'x-solid-authorization' | 'x-solid-dpop', string>;

/** `serviceUrl` is the address by which callers know the service (its grpc.public_url). */
export async function createProofMetadata(
  login: WebIdHolder,
  serviceUrl: string,
  call: 'analyse' | 'cancel',
  signal?: AbortSignal,
): Promise<ProofMetadata> {
  const url = new URL(serviceUrl).origin + AnalyserService[call].path;
  const { authorization, dpop } = await login.proveWebId(url, signal);
  return { 'x-solid-authorization': authorization, 'x-solid-dpop': dpop };
}
