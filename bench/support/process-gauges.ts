import { readFile } from 'node:fs/promises';

/** Of Linux, on every machine that Node.js runs on. */
const TICKS_PER_SECOND = 100;

/** Milliseconds of CPU that a process has taken; NaN where there is no /proc. */
export async function cpuMsOf(pid: number | undefined): Promise<number> {
  const stat = await readGauge(pid, 'stat');
  // The name, in brackets, may contain spaces; the state is the first field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]];
  return ((Number(user) + Number(system)) / TICKS_PER_SECOND) * 1000;
}

/** The largest resident memory of a process so far; NaN where there is no /proc. */
export async function peakMbOf(pid: number | undefined): Promise<number> {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(await readGauge(pid, 'status'))?.[1];
  return Number(kilobytes) / 1024;
}

function readGauge(pid: number | undefined, name: string): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
}
