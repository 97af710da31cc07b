import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { decodeBase64 } from './base64.js';
import type { SealedContent } from './content-cipher.js';

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
