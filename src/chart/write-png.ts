import { crc32, deflateSync } from 'node:zlib';

export interface Picture {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each pixel, line by line. */
  pixels: Uint8Array;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');
/** Eight bits for each of three colours, and nothing optional. */
const TRUE_COLOUR = [8, 2, 0, 0, 0];
/** Large even areas are small at every level, and this is by far the quickest. */
const QUICKEST = 1;

/** An opaque picture as a PNG, lossless; its alpha is left out. */
export function writePng({ width, height, pixels }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(TRUE_COLOUR, 8);
  const lines = deflateSync(linesOf({ width, height, pixels }), { level: QUICKEST });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', lines),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Kept from one picture to the next: what comes and goes outside the heap keeps the collector busy. */
let room = Buffer.alloc(0);

function roomFor(bytes: number): Buffer {
  if (room.length !== bytes) room = Buffer.alloc(bytes);
  return room;
}

/** Each line begins with the number of its filter: none. */
function linesOf({ width, height, pixels }: Picture): Buffer {
  const lines = roomFor(height * (1 + 3 * width));
  let from = 0;
  let to = 0;
  for (let line = 0; line < height; line += 1) {
    lines[to++] = 0;
    for (let column = 0; column < width; column += 1) {
      lines[to++] = pixels[from++] ?? 0;
      lines[to++] = pixels[from++] ?? 0;
      lines[to++] = pixels[from++] ?? 0;
      from += 1;
    }
  }
  return lines;
}

/** Its length, its name, what is in it, and a checksum of the last two. */
function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
