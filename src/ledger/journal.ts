import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { writeFileAtomically } from '../store/atomic-file.js';
import { codeOf, diskError } from '../store/disk-error.js';
import { withFile } from '../store/stored-file.js';

export interface JournalNews {
  records: Buffer[];
  /** The file is another one than at the last look, so this is all that is in it. */
  isNew: boolean;
  /** A part of it cannot be told into records. What the last write left undone is no damage. */
  isDamaged: boolean;
}

const MAGIC = Buffer.from('bpshare1');
const HEAD_BYTES = MAGIC.length + 16;
const LENGTH_BYTES = 4;
const LONGEST_RECORD = 65_536;
const PRIVATE = 0o600;

/**
 * A file of records that only grows, whole after a crash: a record that was not written to its
 * end is not there. Whoever writes holds the lock of the folder; anybody may read. Rewriting it gives it
 * another name in its head, by which every process sees that what it knows of it no longer holds.
 */
export class Journal {
  /** Null: there is no file. Undefined: nobody knows. */
  #head: Buffer | null | undefined;
  /** Up to where it has been read, and is whole. */
  #end = 0;

  constructor(readonly path: string) {}

  /** What has been added since the last look. */
  async read(): Promise<JournalNews> {
    const bytes = await withFile(this.path, (file) => file.read());
    const head = bytes?.subarray(0, HEAD_BYTES) ?? null;
    const isNew = head === null ? this.#head !== null : this.#head?.equals(head) !== true;
    this.#head = head;
    if (isNew) this.#end = head === null ? 0 : HEAD_BYTES;
    if (bytes === null || head === null) return { records: [], isNew, isDamaged: false };
    if (bytes.length < HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC)) {
      return { records: [], isNew, isDamaged: true };
    }
    const { records, end, isDamaged } = takeApart(bytes, this.#end);
    this.#end = end;
    return { records, isNew, isDamaged };
  }

  /** On the disk when it resolves. */
  async append(records: readonly Buffer[]): Promise<void> {
    if (records.length === 0) return;
    if (!this.#head) {
      await this.rewrite(records);
      return;
    }
    const bytes = Buffer.concat(records.flatMap(frame));
    let file: FileHandle | null = null;
    try {
      file = await open(this.path, 'r+');
      await file.truncate(this.#end);
      await file.write(bytes, 0, bytes.length, this.#end);
      await file.datasync();
    } catch (error) {
      this.#head = undefined;
      throw diskError('write', this.path, error);
    } finally {
      await file?.close();
    }
    this.#end += bytes.length;
  }

  async rewrite(records: readonly Buffer[]): Promise<void> {
    const head = Buffer.concat([MAGIC, randomBytes(HEAD_BYTES - MAGIC.length)]);
    const bytes = Buffer.concat([head, ...records.flatMap(frame)]);
    this.#head = undefined;
    await writeFileAtomically(this.path, bytes, PRIVATE);
    this.#head = head;
    this.#end = bytes.length;
  }

  /** Out of the way and kept; answers where. */
  async setAside(suffix: string): Promise<string> {
    const aside = `${this.path}.${suffix}`;
    await rename(this.path, aside).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw diskError('rename', this.path, error);
    });
    this.#head = null;
    this.#end = 0;
    return aside;
  }
}

function frame(record: Buffer): Buffer[] {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(record.length);
  return [length, record];
}

function takeApart(bytes: Buffer, start: number): Omit<JournalNews, 'isNew'> & { end: number } {
  const records: Buffer[] = [];
  let end = start;
  while (end + LENGTH_BYTES <= bytes.length) {
    const length = bytes.readUInt32BE(end);
    if (length === 0 || length > LONGEST_RECORD) return { records, end, isDamaged: true };
    const next = end + LENGTH_BYTES + length;
    if (next > bytes.length) break;
    records.push(bytes.subarray(end + LENGTH_BYTES, next));
    end = next;
  }
  return { records, end, isDamaged: false };
}
