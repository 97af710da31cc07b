import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  privateEncrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createPrivatePem,
  openPrivateKey,
  openValue,
  publicBodyOf,
  readPublicKeyBody,
  sealPrivateKey,
  sealValue,
} from './rsa.js';

const privateKey = createPrivateKey(await createPrivatePem());
const publicKey = createPublicKey(privateKey);
const publicBody = publicBodyOf(privateKey);

test('a sealed value opens to itself and looks different each time', () => {
  const first = sealValue('https://pods.example/é', publicKey) ?? '';
  const second = sealValue('https://pods.example/é', publicKey) ?? '';
  expect(first).not.toBe(second);
  expect(openValue(first, privateKey)?.toString()).toBe('https://pods.example/é');
  expect(sealValue('', publicKey)).not.toBeNull();
});

test('245 bytes fit a key of 2048 bits and 246 do not', () => {
  const longest = 'x'.repeat(245);
  expect(openValue(sealValue(longest, publicKey) ?? '', privateKey)?.toString()).toBe(longest);
  expect(sealValue(`${longest}x`, publicKey)).toBeNull();
});

describe('public keys', () => {
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

  test('PKCS#1 and SubjectPublicKeyInfo are both read, with or without line breaks', () => {
    for (const body of [publicBody, spki, spki.replace(/(.{64})/g, '$1\n')]) {
      expect(readPublicKeyBody(body)?.equals(publicKey)).toBe(true);
    }
  });

  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
  test.each([
    ['nothing', ''],
    ['no base64', '***'],
    ['no key', 'QUJD'],
    ['a cut key', publicBody.slice(0, 100)],
    ['another kind of key', ec.export({ type: 'spki', format: 'der' }).toString('base64')],
    ['a key that is too small', small.export({ type: 'spki', format: 'der' }).toString('base64')],
    ['an exponent of one', withParts({ e: 'AQ' })],
    ['an even modulus, which seals nothing', withParts({ n: evenModulus() })],
    ['an exponent as long as the modulus, which seals nothing', withParts({ e: oddOnes() })],
  ])('[T37] as a public key %s is refused', (_, body) => {
    expect(readPublicKeyBody(body)).toBeNull();
  });

  test('no text makes the reader throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (body) => {
        expect(readPublicKeyBody(body)).toBeNull();
      }),
    );
  });

  function evenModulus(): string {
    const modulus = Buffer.from(publicKey.export({ format: 'jwk' }).n ?? '', 'base64url');
    modulus[modulus.length - 1] = (modulus.at(-1) ?? 0) & 0xfe;
    return modulus.toString('base64url');
  }

  function oddOnes(): string {
    return Buffer.alloc(256, 0xff).toString('base64url');
  }

  function withParts(parts: { n?: string; e?: string }): string {
    const jwk = { ...publicKey.export({ format: 'jwk' }), ...parts };
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return key.export({ type: 'pkcs1', format: 'der' }).toString('base64');
  }
});

test.each(['pkcs1', 'pkcs8'] as const)('[1.1] a private key at rest may be %s', (type) => {
  const pem = privateKey.export({ type, format: 'pem' }).toString();
  const masterKey = randomBytes(32);
  expect(openPrivateKey(sealPrivateKey(pem, masterKey), masterKey)?.equals(privateKey)).toBe(true);
  expect(openPrivateKey(sealPrivateKey(pem, masterKey), randomBytes(32))).toBeNull();
});

describe('malformed sealed values', () => {
  const seal = (block: Buffer) =>
    publicEncrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, block).toString('base64');
  const block = (start: number[], fill = 0xff) =>
    Buffer.concat([Buffer.from(start), Buffer.alloc(256 - start.length, fill)]);

  const signed = privateEncrypt(privateKey, Buffer.from('signed')).toString('base64');
  test.each([
    ['no base64', '***'],
    ['nothing', ''],
    ['too short', 'QUJD'],
    ['too long', Buffer.alloc(257, 1).toString('base64')],
    ['larger than the modulus', Buffer.alloc(256, 0xff).toString('base64')],
    ['a signature', signed],
    ['a first byte that is not zero', seal(block([1, 2, 9, 9, 9, 9, 9, 9, 9, 9, 0]))],
    ['padding of type 1', seal(block([0, 1, 9, 9, 9, 9, 9, 9, 9, 9, 0]))],
    ['padding of seven bytes', seal(block([0, 2, 9, 9, 9, 9, 9, 9, 9, 0]))],
    ['padding that never ends', seal(block([0, 2]))],
  ])('%s opens to nothing', (_, sealed) => {
    expect(openValue(sealed, privateKey)).toBeNull();
  });

  test('the shortest padding and an empty value are well formed', () => {
    const shortest = seal(block([0, 2, 9, 9, 9, 9, 9, 9, 9, 9, 0], 7));
    expect(openValue(shortest, privateKey)).toEqual(Buffer.alloc(245, 7));
    const empty = Buffer.concat([Buffer.from([0, 2]), Buffer.alloc(253, 9), Buffer.from([0])]);
    expect(openValue(seal(empty), privateKey)).toEqual(Buffer.alloc(0));
  });
});
