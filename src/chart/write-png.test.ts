import { randomBytes } from 'node:crypto';
import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { writePng } from './write-png.js';

/** What another reader of the format sees. */
function read(png: Buffer, width: number, height: number): Uint8Array {
  const href = `data:image/png;base64,${png.toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image href="${href}" width="${width}" height="${height}" image-rendering="optimizeSpeed"/></svg>`;
  return new Resvg(svg).render().pixels;
}

test.each([
  [1, 1],
  [37, 23],
  [256, 3],
])('a picture of %i by %i pixels is the same to the last bit', (width, height) => {
  const pixels = randomBytes(4 * width * height).map((byte, at) => (at % 4 === 3 ? 255 : byte));
  const png = writePng({ width, height, pixels });
  expect(Buffer.from(read(png, width, height)).equals(pixels)).toBe(true);
});

test('a white picture is small', () => {
  const pixels = new Uint8Array(4 * 1800 * 1000).fill(255);
  expect(writePng({ width: 1800, height: 1000, pixels }).length).toBeLessThan(50_000);
});
