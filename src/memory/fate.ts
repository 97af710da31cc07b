/** What became of a file, of a shared folder, or of a whole share in one analysis. */
export type Fate =
  /**
   * A file that counted; a folder that was listed. `key` is the one that opened the file, null
   * where nothing is encrypted; `folder` is the shared folder that the key belongs to, null for a
   * key shared for the file itself.
   */
  | { kind: 'read'; key: Buffer | null; folder: string | null }
  /**
   * `refusal`: 403, 404 or 410. `key`: the encrypted file does not open with any key given for it.
   * `public`: everybody may read it and no entry speaks of it.
   */
  | { kind: 'ended'; by: 'refusal' | 'key' | 'public' }
  /**
   * `silence`: no answer. `plain`: its owner shares it with everybody, in plaintext. `cipher`: it is
   * encrypted in an unknown way. `size`: it is too large. `answer`: any other one. `others`: left out
   * because of others, such as a key that belongs to another Pod, or a bound; `key` is then the one
   * that opened it all the same.
   */
  | {
      kind: 'missing';
      because: 'silence' | 'plain' | 'cipher' | 'size' | 'answer' | 'others';
      key?: Buffer;
    }
  /** There was no time to ask. */
  | { kind: 'not asked' }
  /** Left out by the operator's configuration. */
  | { kind: 'set aside' };

/** Whom an answer is open to, by its WAC-Allow header; `unknown` without that header or an answer. */
export type OpenTo = 'everybody' | 'some' | 'unknown';

/** One file that is shared, by itself or by the folder that lists it. */
export interface FileFate {
  /** Canonical. */
  url: string;
  /** The shared folder that lists it, directly; null for a file with only its own share. */
  listedIn: string | null;
  fate: Fate;
  openTo: OpenTo;
}

/** A shared folder: `read` when it could be listed. */
export interface FolderFate {
  url: string;
  fate: Fate;
  openTo: OpenTo;
}
