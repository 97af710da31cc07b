import {
  constants,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto';
import { promisify } from 'node:util';
import { decodeBase64 } from './base64.js';

/** The padding takes eleven bytes of the modulus. */
const PADDING = 11;

/** A new private key, in PEM; the public one follows from it. */
export async function createPrivatePem(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return privateKey;
}

/** The public key as the app stores it: PKCS#1 without armour and line breaks. */
export function publicBodyOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: 'pkcs1', format: 'der' }).toString('base64');
}

/** Null unless it is an RSA public key, in PKCS#1 or SubjectPublicKeyInfo, of a usable size, that can seal values. */
export function readPublicKeyBody(body: string): KeyObject | null {
  const key = decodeBase64(body.replace(/\s+/g, ''));
  if (key === null) return null;
  for (const type of ['pkcs1', 'spki'] as const) {
    try {
      const candidate = createPublicKey({ key, format: 'der', type });
      // Some keys can be read but seal nothing, such as one with an even modulus.
      if (isUsable(candidate) && sealValue('', candidate) !== null) return candidate;
    } catch {
      // Not this form, or it seals nothing.
    }
  }
  return null;
}

function isUsable(key: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  // With an exponent of one, sealed keys would lie in the inbox in the clear.
  return (
    key.asymmetricKeyType === 'rsa' &&
    modulusLength >= 2048 &&
    modulusLength <= 8192 &&
    publicExponent >= 3n
  );
}

/** Base64; null when the text is too long for the key. */
export function sealValue(text: string, publicKey: KeyObject): string | null {
  const bytes = Buffer.from(text, 'utf8');
  const modulusBytes = (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
  if (bytes.length > modulusBytes - PADDING) return null;
  const padded = { key: publicKey, padding: constants.RSA_PKCS1_PADDING };
  return publicEncrypt(padded, bytes).toString('base64');
}

/**
 * Removes the PKCS#1 v1.5 padding by hand: Node 20 refuses to, and later versions return random
 * bytes for a bad value. Null for anything malformed, without saying why.
 */
export function openValue(sealed: string, privateKey: KeyObject): Buffer | null {
  const bytes = decodeBase64(sealed);
  if (bytes === null) return null;
  try {
    return unpad(privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, bytes));
  } catch {
    return null;
  }
}

function unpad(block: Buffer): Buffer | null {
  const end = block.indexOf(0, 2);
  return block[0] === 0 && block[1] === 2 && end >= PADDING - 1 ? block.subarray(end + 1) : null;
}
