import { createHmac, hkdfSync } from 'node:crypto';
import { IV_BYTES, openBytes, sealBytes } from '../base/sealed-bytes.js';

/** Seals records under the master key of the Analyser Pod, without which nobody can read them. */
export interface LedgerSeal {
  /** Equal records give equal bytes, so that duplicates are recognised. */
  seal(record: Buffer): Buffer;
  /** Null for bytes that were not sealed with this key. */
  open(sealed: Uint8Array): Buffer | null;
  /** A keyed digest: equal for equal values, and says nothing without the key. */
  tag(kind: 'place' | 'key' | 'pod', value: string | Buffer): string;
}

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
    // The IV is a digest of the record, so two different records never share one.
    seal: (record) => sealBytes(record, sealingKey, mac(ivKey, record).subarray(0, IV_BYTES)),
    open: (sealed) => openBytes(sealed, sealingKey),
    tag: (kind, value) => mac(tagKey, `${kind} `, value).subarray(0, TAG_BYTES).toString('latin1'),
  };
}
