import { AnalyserError, codeOf } from '../base/errors.js';

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space, then try again.',
  EDQUOT: 'The disk quota is used up: free some space, then try again.',
  EROFS: 'The file system is read-only: mount it writable or choose another folder under output.',
  EACCES: 'Give the account of this service access to it, or choose another folder under output.',
  EPERM: 'Give the account of this service access to it, or choose another folder under output.',
  ENOTDIR: 'A part of the path is a file, not a folder: move it away.',
  EISDIR: 'It is a folder where a file should be: move it away.',
  ENOENT: 'It disappeared in the meantime: make sure that nothing else cleans up this folder.',
  ENOLCK: 'This file system has no locks: choose a folder on another one under output.',
  EOPNOTSUPP: 'This file system has no locks: choose a folder on another one under output.',
  EMFILE: 'Too many files are open: raise the limit of open files for this service.',
};

/** `action` completes "could not": "write", "read", "list", "lock". */
export function diskError(action: string, path: string, cause: unknown): AnalyserError {
  if (cause instanceof AnalyserError) return cause;
  const code = codeOf(cause);
  const remedy =
    (code === null ? undefined : remedies[code]) ??
    `The system reported ${code ?? 'an unknown error'}.`;
  return new AnalyserError('disk', `Could not ${action} ${path}. ${remedy}`, { cause });
}
