import { checkPrimeSync, createPrivateKey } from 'node:crypto';
import { seededRandom } from '../../support/seeded-random.js';

const made = new Map<string, string>();

/** A private key of RSA in PEM that follows from the name: addresses are asked for in an order that follows from keys. */
export function privateKeyOf(name: string): string {
  const known = made.get(name);
  if (known !== undefined) return known;
  const random = seededRandom(name);
  const [p, q] = [primeFrom(random), primeFrom(random)];
  const pem = pemOf(p > q ? [p, q] : [q, p]);
  made.set(name, pem);
  return pem;
}

const BYTES = 128;
const EXPONENT = 65_537n;

function primeFrom(random: (length: number) => Uint8Array): bigint {
  // The two highest bits are set, so that the product of two has all its bits.
  const start = BigInt(`0x${Buffer.from(random(BYTES)).toString('hex')}`);
  const high = 3n << BigInt(8 * BYTES - 2);
  for (let candidate = start | high | 1n; ; candidate += 2n) {
    if (candidate % EXPONENT !== 1n && isPrime(candidate)) return candidate;
  }
}

const small = Array.from({ length: 2_000 }, (_, index) => BigInt(2 * index + 3)).filter((one) =>
  checkPrimeSync(one),
);
const product = small.reduce((all, one) => all * one, 1n);

function isPrime(candidate: bigint): boolean {
  const rest = candidate % product;
  return small.every((one) => rest % one !== 0n) && checkPrimeSync(candidate);
}

function pemOf([p, q]: [bigint, bigint]): string {
  const d = inverseOf(EXPONENT, (p - 1n) * (q - 1n));
  const text = (value: bigint) => {
    const hex = value.toString(16);
    return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString(
      'base64url',
    );
  };
  const parts = {
    n: p * q,
    e: EXPONENT,
    d,
    p,
    q,
    dp: d % (p - 1n),
    dq: d % (q - 1n),
    qi: inverseOf(q, p),
  };
  const fields = Object.entries(parts).map(([name, value]) => [name, text(value)]);
  const key = { kty: 'RSA', ...Object.fromEntries(fields) };
  return createPrivateKey({ key, format: 'jwk' })
    .export({ type: 'pkcs1', format: 'pem' })
    .toString();
}

function inverseOf(value: bigint, modulus: bigint): bigint {
  let [one, other] = [modulus, value % modulus];
  let [before, now] = [0n, 1n];
  while (other !== 0n) {
    const times = one / other;
    [one, other] = [other, one - times * other];
    [before, now] = [now, before - times * now];
  }
  return (before + modulus) % modulus;
}
