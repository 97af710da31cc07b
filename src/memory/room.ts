import { parentFolder } from '../pod/addresses.js';
import type { Memory } from './memory.js';

/**
 * How the memory is shared out, in bytes of its text. The document may have 48 MB, and sealing makes four bytes of three:
 * 36 MB are left. 240,000 claims of up to 56 bytes take 13.4 MB of it, releases and earlier keys less than 2 MB.
 */
export const MOST_CLAIMS = 240_000;
export const ROOM_FOR_PODS = 22_000_000;
/** So that no Pod can take the room of all others. */
export const ROOM_FOR_ONE_POD = ROOM_FOR_PODS / 6;

const BYTES_OF_POD = 500;
/** Beside its address: the key, and the nine days on which it can have been missing. */
const BYTES_OF_SHARE = 140;
const BYTES_OF_FOLDER = 70;

/** The most bytes that the files of a Pod can ever take in the memory, so that what was stored once has room again. */
export function roomFor(root: string, files: Iterable<string>): number {
  const bytesOf = (url: string) => (url.startsWith(root) ? url.length - root.length : url.length);
  const folders = new Set<string>();
  let bytes = BYTES_OF_POD + root.length;
  for (const url of files) {
    bytes += BYTES_OF_SHARE + bytesOf(url);
    folders.add(parentFolder(url));
  }
  for (const folder of folders) bytes += BYTES_OF_FOLDER + bytesOf(folder);
  return bytes;
}

export function roomByPod({ pods }: Pick<Memory, 'pods'>): Map<string, number> {
  return new Map(Array.from(pods, ([root, { shares }]) => [root, roomFor(root, shares.keys())]));
}
