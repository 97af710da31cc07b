import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';
import { codeOf } from '../base/errors.js';

/**
 * Who a process is, so that another one can tell whether it still lives. A pid alone means
 * little: it is reused, and each container counts its own.
 */
export const processIdentity = z.object({
  pid: z.int32().positive(),
  /** Where the pid is valid: this boot of this machine, and the container within it. */
  place: z.string(),
  /** Tells a process from a later one with the same pid; empty where the system does not say. */
  started: z.string(),
});
export type ProcessIdentity = z.infer<typeof processIdentity>;

export async function identifyThisProcess(): Promise<ProcessIdentity> {
  const [boot, namespace, status] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
    readStatus(process.pid),
  ]);
  const place = [hostname(), boot.trim(), namespace].join(' ');
  return { pid: process.pid, place, started: status?.started ?? '' };
}

/** 'unknown' for a process of another place, which nothing here can see. */
export async function lookUpProcess(
  other: ProcessIdentity,
  own: ProcessIdentity,
): Promise<'alive' | 'dead' | 'unknown'> {
  if (other.place !== own.place) return 'unknown';
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    // EPERM: there is one, of another account.
    if (codeOf(error) === 'ESRCH') return 'dead';
  }
  const status = await readStatus(other.pid);
  if (status === null) return 'alive';
  return status.ended || status.started !== other.started ? 'dead' : 'alive';
}

/** Fields 3 and 22 of proc(5) stat; the command in field 2 may hold spaces and brackets. */
async function readStatus(pid: number): Promise<{ ended: boolean; started: string } | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const state = fields[0] ?? '';
    // A killed process stays visible as a zombie until its parent takes notice.
    return { ended: state === 'Z' || state === 'X', started: fields[19] ?? '' };
  } catch {
    return null;
  }
}
