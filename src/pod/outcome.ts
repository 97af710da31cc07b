import type { Because } from './reasons.js';

/** Why a shared file does not count, or a shared folder could not be listed. */
export interface NotRead {
  kind: 'not read';
  because: Because;
  /** Completes a sentence that begins with the address. */
  reason: string;
  /** Details of the failure; empty when the reason says everything. */
  cause?: string;
  /** The key that opens it, although it does not count. Whatever is found in an opened file has it, and so is not told. */
  key?: Buffer;
}

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
