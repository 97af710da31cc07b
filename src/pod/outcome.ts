/** Why a shared file does not count, or a shared folder could not be listed. */
export interface NotRead {
  kind: 'not read';
  because: Because;
  /** Completes a sentence that begins with the address. */
  reason: string;
  /** Details of the failure; empty when the reason says everything. */
  cause?: string;
  /**
   * The key that opens it, although it does not count. The caller is then told no reason but want of room: somebody who
   * changed bytes of a copy would learn from it which of the changed texts are readings.
   */
  key?: Buffer;
}

export type Because =
  /** It is shared by itself, and not named like a file of readings: it is not asked for. */
  | 'other name'
  /** 403, 404 or 410; for remembered files, twice, while the server gave what it gives to everybody. */
  | 'refused'
  /** Everybody may read it, and no entry names it. */
  | 'published'
  /** It opens and holds no reading. */
  | 'no reading'
  /** It is in plaintext, because its owner shares it with everybody. */
  | 'plaintext'
  /** People other than its owner may write to it. */
  | 'writable'
  /** It is not encrypted, and nothing shows that its owner shared it. */
  | 'unproven'
  | 'too large'
  /** It is encrypted, and none of the given keys opens it. */
  | 'no key'
  /** A page or a broken document in place of a file, or another cipher. */
  | 'unreadable'
  /** It was refused, but perhaps its server refuses everything at the moment. */
  | 'uncertain'
  /** Any other answer. */
  | 'other answer'
  /**
   * No answer to a request that was on the wire for its whole patience, or that failed. Where a Pod or a server gave no
   * answer to anything, also what was remembered of it and not sent any more.
   */
  | 'silence'
  /**
   * It was not sent, or cut before its patience was over, or too much of its Pod had been read before. Also a new one
   * whose Pod was given up.
   */
  | 'not asked'
  /** It is new and was read, but there was no time for other new files of its Pod: they count together. */
  | 'not yet'
  /** It is new and was read, but the memory has no room for all new files of its Pod: they count together. */
  | 'no room'
  /** No key of its own opens it, and keys of other Pods were given for it; or the key of another file or folder opens it. */
  | 'foreign key'
  /** The key that opens it opens files of another Pod as well, and nobody owned it before this analysis. */
  | 'copied key'
  /** It was given, but there are too many keys in its Pod. */
  | 'limit';

export function notRead(because: Because, reason: string, cause = ''): NotRead {
  return { kind: 'not read', because, reason, cause };
}

/** Whether a key of another Pod opens it is never tried: the reply would tell the caller something about its text. */
export const foreignKey = notRead(
  'foreign key',
  'a key that was shared for it was used by another Pod before; if its owner has moved, the operator of the service can settle that',
);

/** It opens with the key of another file or folder of its Pod. */
export function borrowedKey(key: Buffer): NotRead {
  return { ...notRead('foreign key', 'its key is that of another file or folder'), key };
}

/** Two Pods have used the key for the first time in the same analysis. */
export function copiedBy(key: Buffer): NotRead {
  const reason = 'its key opens files of another Pod as well';
  return { ...notRead('copied key', reason), key };
}

/** Whether there is only the reason why nothing was read. */
export function isNotRead(given: object): given is NotRead {
  return 'because' in given;
}

export function isFor(outcome: { kind: string } | NotRead, because: Because): boolean {
  return isNotRead(outcome) && outcome.because === because;
}

/** A refusal ends a share, so it has to be certain. */
export const perhapsRefused = notRead(
  'uncertain',
  'its server refused it, but perhaps it refuses everything at the moment',
);

export const notAsked = notRead('not asked', 'there was no time left to ask for it');

export function notYet(key: Buffer | null): NotRead {
  return waiting(
    'not yet',
    'it counts together with the other new files, and there was no time for all of them',
    key,
  );
}

export function noRoom(key: Buffer | null): NotRead {
  return waiting(
    'no room',
    'the memory of the Analyser has no room for all new files of its Pod, until the operator of the service makes some',
    key,
  );
}

/** The key stays claimed for its Pod. */
function waiting(because: Because, reason: string, key: Buffer | null): NotRead {
  return { ...notRead(because, reason), ...(key !== null && { key }) };
}
