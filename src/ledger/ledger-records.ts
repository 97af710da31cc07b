import { TAG_BYTES } from './ledger-seal.js';

/**
 * A record of the ledger. Records form a set: duplicates change nothing, and their order does not
 * matter, because of two about one thing the one with the higher stamp counts. Tags are keyed
 * digests, so that a record of a share that has ended names nobody.
 */
export type LedgerRecord = { stamp: number; pod: string } & (
  | {
      kind: 'share';
      url: string;
      /** The address as its owner writes it. */
      spelling: string;
      /** Null for a file that is not encrypted. */
      key: Buffer | null;
    }
  | { kind: 'ended'; place: string /** Of the key that opened it. */; keyTag: string | null }
  /** The key opened a file of the Pod. */
  | { kind: 'claim'; keyTag: string }
  | { kind: 'release'; keyTag: string }
);

const kinds = ['share', 'ended', 'claim', 'release'] as const;
const HEAD_BYTES = 5 + TAG_BYTES;
const KEY_BYTES = 32;
const noTag = '\0'.repeat(TAG_BYTES);

export function encodeRecord(record: LedgerRecord): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(kinds.indexOf(record.kind));
  head.writeUInt32BE(record.stamp, 1);
  return Buffer.concat([head, Buffer.from(record.pod, 'latin1'), encodeBody(record)]);
}

function encodeBody(record: LedgerRecord): Buffer {
  if (record.kind === 'share') {
    const key = record.key ?? Buffer.alloc(0);
    const { url, spelling } = record;
    // An address never contains a line break.
    const address = url === spelling ? url : `${url}\n${spelling}`;
    return Buffer.concat([Buffer.from([key.length]), key, Buffer.from(address)]);
  }
  const keyTag = record.keyTag ?? noTag;
  return Buffer.from(record.kind === 'ended' ? record.place + keyTag : keyTag, 'latin1');
}

/** Null for a record that this version does not know. */
export function decodeRecord(bytes: Buffer): LedgerRecord | null {
  const kind = kinds[bytes[0] ?? kinds.length];
  if (kind === undefined || bytes.length < HEAD_BYTES) return null;
  const stamp = bytes.readUInt32BE(1);
  const pod = bytes.toString('latin1', 5, HEAD_BYTES);
  const body = bytes.subarray(HEAD_BYTES);
  if (kind === 'share') {
    const length = body[0] ?? 0;
    const key = length === KEY_BYTES ? Buffer.from(body.subarray(1, 1 + KEY_BYTES)) : null;
    const [url = '', spelling = url] = body.toString('utf8', 1 + length).split('\n');
    return { kind, stamp, pod, key, url, spelling };
  }
  const last = body.toString('latin1', body.length - TAG_BYTES);
  if (kind !== 'ended') return { kind, stamp, pod, keyTag: last };
  const place = body.toString('latin1', 0, TAG_BYTES);
  return { kind, stamp, pod, place, keyTag: last === noTag ? null : last };
}
