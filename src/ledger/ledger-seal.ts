import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/** What is under lock and key of the Analyser Pod: who cannot unlock it reads nothing of the ledger. */
export interface LedgerSeal {
  /** The same bytes for the same record, so that the same record found twice is one. */
  seal(record: Buffer): Buffer;
  /** Null for what was not sealed with this key. */
  open(sealed: Uint8Array): Buffer | null;
  /** Sixteen bytes as text: tells equal from different, and says nothing without the key. */
  tag(kind: 'place' | 'key' | 'pod', value: string | Buffer): string;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const AUTH_BYTES = 16;
export const TAG_BYTES = 16;

export function createLedgerSeal(masterKey: Buffer): LedgerSeal {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `bp-analyser/ledger/v1/${purpose}`, 32));
  const [sealingKey, ivKey, tagKey] = [derive('seal'), derive('iv'), derive('tag')];
  const mac = (key: Buffer, ...parts: (string | Buffer)[]) => {
    const hmac = createHmac('sha256', key);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  };
  return {
    seal(record) {
      // Made from the record itself: no two different records ever share one.
      const iv = mac(ivKey, record).subarray(0, IV_BYTES);
      const cipher = createCipheriv(CIPHER, sealingKey, iv);
      const text = [cipher.update(record), cipher.final()];
      return Buffer.concat([iv, cipher.getAuthTag(), ...text]);
    },
    open(sealed) {
      if (sealed.length < IV_BYTES + AUTH_BYTES) return null;
      const iv = sealed.subarray(0, IV_BYTES);
      const opening = createDecipheriv(CIPHER, sealingKey, iv, { authTagLength: AUTH_BYTES });
      opening.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + AUTH_BYTES));
      try {
        const text = opening.update(sealed.subarray(IV_BYTES + AUTH_BYTES));
        return Buffer.concat([text, opening.final()]);
      } catch {
        return null;
      }
    },
    tag: (kind, value) => mac(tagKey, `${kind} `, value).subarray(0, TAG_BYTES).toString('latin1'),
  };
}
