import { createHmac, hkdfSync } from 'node:crypto';
import { IV_BYTES, openBytes, sealBytes } from '../base/sealed-bytes.js';

/** What is under lock and key of the Analyser Pod: who cannot unlock it reads nothing of the ledger. */
export interface LedgerSeal {
  /** The same bytes for the same record, so that the same record found twice is one. */
  seal(record: Buffer): Buffer;
  /** Null for what was not sealed with this key. */
  open(sealed: Uint8Array): Buffer | null;
  /** Sixteen bytes as text: tells equal from different, and says nothing without the key. */
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
    // The IV is made from the record itself: no two different records ever share one.
    seal: (record) => sealBytes(record, sealingKey, mac(ivKey, record).subarray(0, IV_BYTES)),
    open: (sealed) => openBytes(sealed, sealingKey),
    tag: (kind, value) => mac(tagKey, `${kind} `, value).subarray(0, TAG_BYTES).toString('latin1'),
  };
}
