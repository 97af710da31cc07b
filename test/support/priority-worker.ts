import '../../src/base/give-way.js';
import { readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { basename } from 'node:path';

/** Of the thread that this runs on. */
export function readPriority(): number {
  return getPriority(Number(basename(readlinkSync('/proc/thread-self'))));
}
