/** gRPC-Web on the wire: gRPC's own frames, with the trailers as one more frame at the end. */

/** How a call ended, in gRPC's terms. */
export interface Outcome {
  status: string;
  /** Percent-encoded, as gRPC has it. */
  message: string;
}

export type Encoding = 'binary' | 'base64';

const typePattern = /^application\/grpc-web(?<text>-text)?(?:\+proto)?\s*(?:;|$)/i;

/** Null for a content type that is not gRPC-Web. */
export function encodingOf(contentType: string | undefined): Encoding | null {
  const found = typePattern.exec(contentType ?? '');
  if (found === null) return null;
  return found.groups?.['text'] === undefined ? 'binary' : 'base64';
}

export const contentTypes: Record<Encoding, string> = {
  binary: 'application/grpc-web+proto',
  base64: 'application/grpc-web-text+proto',
};

/** A base64 text may consist of several parts, each with padding of its own. */
export function decode(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'binary') return body;
  const parts = body.toString('latin1').match(/[^=]+=*/g) ?? [];
  return Buffer.concat(parts.map((part) => Buffer.from(part, 'base64')));
}

export function encode(frames: Buffer, encoding: Encoding): Buffer {
  return encoding === 'binary' ? frames : Buffer.from(frames.toString('base64'));
}

/** The first byte of a frame that holds trailers. Four bytes with the length of the trailers follow. */
const ofTrailers = 0x80;

export function trailerFrame({ status, message }: Outcome): Buffer {
  const text = Buffer.from(`grpc-status:${status}\r\ngrpc-message:${message}\r\n`);
  const head = Buffer.alloc(5);
  head.writeUInt8(ofTrailers);
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, text]);
}
