import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import { decodeBase64, type SealedContent } from './content-cipher.js';

/** The padding takes eleven bytes of the modulus. */
const PADDING = 11;

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

/** Whether the value is as long as those that are sealed for the key. Node.js computes with shorter ones all the same. */
export function couldBeSealed(sealed: string, key: KeyObject): boolean {
  return sealed.trim().length === 4 * Math.ceil(modulusBytes(key) / 3);
}

function modulusBytes({ asymmetricKeyDetails }: KeyObject): number {
  return Math.ceil((asymmetricKeyDetails?.modulusLength ?? 0) / 8);
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
  if (bytes.length > modulusBytes(publicKey) - PADDING) return null;
  const padded = { key: publicKey, padding: constants.RSA_PKCS1_PADDING };
  return publicEncrypt(padded, bytes).toString('base64');
}

/** Removes the padding by hand: Node 20 refuses to, and later versions return random bytes for a bad value. */
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

export function sealPrivateKey(pem: string, masterKey: Uint8Array): SealedContent {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', masterKey, iv);
  const data = Buffer.concat([cipher.update(pem, 'utf8'), cipher.final()]);
  return { iv: iv.toString('base64'), data: data.toString('base64') };
}

/** Null unless it opens to an RSA private key, in PKCS#1 or PKCS#8. */
export function openPrivateKey(sealed: SealedContent, masterKey: Uint8Array): KeyObject | null {
  const pem = openPrivateKeyText(sealed, masterKey);
  if (pem === null) return null;
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    return null;
  }
}

export function openPrivateKeyText(sealed: SealedContent, masterKey: Uint8Array): string | null {
  const iv = decodeBase64(sealed.iv);
  const data = decodeBase64(sealed.data);
  if (iv?.length !== 16 || data === null) return null;
  try {
    const cipher = createDecipheriv('aes-256-cbc', masterKey, iv);
    return Buffer.concat([cipher.update(data), cipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
