import { refusalName } from '../ports/call-refusal.js';

/** gRPC-Web on the wire: gRPC's own frames, with the trailers as one more frame at the end. */

/** How a call ended, in gRPC's terms. */
export interface Outcome {
  status: string;
  /** Percent-encoded, as gRPC has it. */
  message: string;
  /** The value of the trailing metadata `analyser-refusal`; empty without it. */
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
