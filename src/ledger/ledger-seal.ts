import { createHmac, hkdfSync } from 'node:crypto';
import { IV_BYTES, openBytes, sealBytes } from '../base/sealed-bytes.js';

export type LedgerSeal = ReturnType<typeof createLedgerSeal>;

export const TAG_BYTES = 16;

/** Seals records under the master key of the Analyser Pod, without which nobody can read them. */
export function createLedgerSeal(masterKey: Buffer) {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `bp-analyser/ledger/v1/${purpose}`, 32));
  const [sealingKey, ivKey, tagKey] = [derive('seal'), derive('iv'), derive('tag')];
  const mac = (key: Buffer, ...parts: (string | Buffer)[]) => {
    const hmac = createHmac('sha256', key);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  };
  return {
    /**
     * Equal records give equal bytes, so that duplicates are recognised: the IV is a digest of the
     * record, so two different records never share one.
     */
    seal: (record: Buffer) =>
      sealBytes(record, sealingKey, mac(ivKey, record).subarray(0, IV_BYTES)),
    /** Null for bytes that were not sealed with this key. */
    open: (sealed: Uint8Array) => openBytes(sealed, sealingKey),
    /** A keyed digest: equal for equal values, and says nothing without the key. */
    tag: (kind: 'place' | 'key' | 'pod', value: string | Buffer) =>
      mac(tagKey, `${kind} `, value).subarray(0, TAG_BYTES).toString('latin1'),
  };
}
