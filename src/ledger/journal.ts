import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { codeOf } from '../base/errors.js';
import { writeFileAtomically } from '../store/atomic-file.js';
import { diskError } from '../store/disk-error.js';
import { withFile } from '../store/stored-file.js';

export interface JournalNews {
  records: Buffer[];
  /** The file was replaced since the last look, so these are all its records. */
  isNew: boolean;
  /** A part of the file cannot be read as records; an unfinished last write does not count. */
  isDamaged: boolean;
}

const MAGIC = Buffer.from('bpshare1');
const HEAD_BYTES = MAGIC.length + 16;
const LENGTH_BYTES = 4;
const LONGEST_RECORD = 65_536;
const PRIVATE = 0o600;

/**
 * An append-only file of records that survives a crash: a half-written record is ignored. Writers
 * hold the analysis lock; anybody may read. A rewrite changes the name in the head of the file, so
 * that every process notices and reads it anew.
 */
export class Journal {
  /** Null when there is no file; undefined before the first look. */
  #head: Buffer | null | undefined;
  /** The end of the last whole record that was read. */
  #end = 0;

  constructor(readonly path: string) {}

  /** Reads the records that were added since the last look. */
  async read(): Promise<JournalNews> {
    const bytes = await withFile(this.path, (file) => file.read());
    const head = bytes?.subarray(0, HEAD_BYTES) ?? null;
    const isNew = head === null ? this.#head !== null : this.#head?.equals(head) !== true;
    // A copy: a part of what was read would keep the whole.
    this.#head = head && Buffer.from(head);
    if (isNew) this.#end = head === null ? 0 : HEAD_BYTES;
    if (bytes === null || head === null) return { records: [], isNew, isDamaged: false };
    if (bytes.length < HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC)) {
      return { records: [], isNew, isDamaged: true };
    }
    const { records, end, isDamaged } = parseRecords(bytes, this.#end);
    this.#end = end;
    return { records, isNew, isDamaged };
  }

  /** The records are on the disk when it resolves. */
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

  /** Renames the file so that it is kept but not used; returns its new path. */
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

function parseRecords(bytes: Buffer, start: number): Omit<JournalNews, 'isNew'> & { end: number } {
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
