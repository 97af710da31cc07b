import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * Imported, before anything else, by what runs on a thread that computes for long: what is left
 * of the cores is that thread's, and it keeps nobody waiting for an answer. Linux alone has
 * priorities of single threads; elsewhere, or where it is not allowed, nothing changes.
 */

/** Of 19; it leaves nine tenths of a core to the event loop, when that wants it as well. */
const NICENESS = 10;

if (!isMainThread && process.platform === 'linux') {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS);
  } catch {
    // No reason to compute nothing.
  }
}
