import { connect, constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { refusalName } from '../ports/call-refusal.js';
import { trustCertificate } from '../ports/dial-service.js';

/** gRPC-Web on the wire: gRPC's own frames, with the trailers as one more frame at the end. */

/** How a call ended, in gRPC's terms. */
export interface Outcome {
  status: string;
  /** Percent-encoded, as gRPC has it. */
  message: string;
  refusal: string;
}

/** The binary form alone: the other one, base64, is for streams, and every call here is unary. */
export const contentType = 'application/grpc-web+proto';

/** The first byte of a frame that holds trailers. Four bytes with the length of the trailers follow. */
const ofTrailers = 0x80;

export function trailerFrame({ status, message, refusal }: Outcome): Buffer {
  const last = refusal === '' ? '' : `${refusalName}:${refusal}\r\n`;
  const text = Buffer.from(`grpc-status:${status}\r\ngrpc-message:${message}\r\n${last}`);
  const head = Buffer.alloc(5);
  head.writeUInt8(ofTrailers);
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, text]);
}

export interface Service {
  url: string;
  /** A PEM file with a certificate that is trusted in addition to the usual authorities. */
  certificateFile: string | null;
}

export interface Reply {
  frames: Buffer;
  outcome: Outcome;
  failure?: Error;
}

interface CallForService {
  path: string;
  headers: OutgoingHttpHeaders;
  frames: Buffer;
}

const UNAVAILABLE = '14';

/** Each call has its own connection: nothing to keep alive. Rejects when the certificate cannot be read. */
export async function askService(
  { url, certificateFile }: Service,
  { path, headers, frames }: CallForService,
  signal: AbortSignal,
): Promise<Reply> {
  const session = connect(url, url.startsWith('https:') ? trust(certificateFile) : {});
  let failure = new Error('The service gave no answer of gRPC.');
  const fail = (error: Error) => {
    failure = error;
  };
  session.on('error', fail);
  const call = session.request({
    ...headers,
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc+proto',
    te: 'trailers',
  });
  const cancel = () => call.close(constants.NGHTTP2_CANCEL);
  signal.addEventListener('abort', cancel, { once: true });
  const chunks: Buffer[] = [];
  const ended: { outcome: Outcome | null } = { outcome: null };
  const note = (ending: IncomingHttpHeaders) => {
    ended.outcome = outcomeIn(ending) ?? ended.outcome;
  };
  // A reply without a message has its outcome among the headers.
  call.on('response', note).on('trailers', note).on('error', fail);
  call.on('data', (chunk: Buffer) => void chunks.push(chunk));
  call.end(frames);
  await new Promise((resolve) => call.once('close', resolve));
  signal.removeEventListener('abort', cancel);
  session.destroy();
  const { outcome } = ended;
  if (outcome === null) return unavailable(failure);
  return { frames: Buffer.concat(chunks), outcome };
}

export function unavailable(failure: Error): Reply {
  const message = encodeURIComponent('The service does not answer; try again later.');
  return {
    frames: Buffer.alloc(0),
    outcome: { status: UNAVAILABLE, message, refusal: '' },
    failure,
  };
}

function trust(certificateFile: string | null) {
  if (certificateFile === null) return {};
  const { context, checkIdentity } = trustCertificate(certificateFile);
  return { ...context, checkServerIdentity: checkIdentity };
}

function outcomeIn(headers: IncomingHttpHeaders): Outcome | null {
  const { 'grpc-status': status, 'grpc-message': message } = headers;
  if (typeof status !== 'string') return null;
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return { status, message: textOf(message), refusal: textOf(headers[refusalName]) };
}
