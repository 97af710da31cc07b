import { readFile } from 'node:fs/promises';

/** Of Linux, on every machine that Node.js runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Milliseconds of CPU that a process has taken, which another one beside it hardly changes. NaN where
 * there is no /proc.
 */
export async function cpuOfProcess(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in brackets, may contain spaces; the state is the first field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]];
  return ((Number(user) + Number(system)) / TICKS_PER_SECOND) * 1000;
}
