import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { seededRandom } from '../../support/seeded-random.js';

const { randomBytes, randomInt, randomUUID } = crypto;
const mathRandom = Math.random;

/** Whatever asks Node.js for something random gets the same in each play of a history. Padding of RSA stays as it is. */
export function installChance(seed: string): void {
  const random = seededRandom(seed);
  const bytes = (length: number) => Buffer.from(random(length));
  const part = () => bytes(4).readUInt32BE() / 2 ** 32;
  Math.random = part;
  Object.assign(crypto, {
    randomBytes: bytes,
    randomInt: (max: number) => Math.floor(part() * max),
    randomUUID: () =>
      bytes(16)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  });
  syncBuiltinESMExports();
}

export function restoreChance(): void {
  Math.random = mathRandom;
  Object.assign(crypto, { randomBytes, randomInt, randomUUID });
  syncBuiltinESMExports();
}
