declare module 'fs-native-extensions' {
  /** Locks an open file, without waiting; false if a lock that somebody else holds excludes it. */
  export function tryLock(fd: number, options?: { shared?: boolean }): boolean;
  export function unlock(fd: number): void;
}
