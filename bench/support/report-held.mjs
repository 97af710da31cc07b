/** Loaded before the program that is watched: on SIGUSR2 it writes down what the process holds. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const target = process.env['HELD_FILE'];
if (isMainThread && target !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    for (let pass = 0; pass < 3; pass += 1) collect();
    writeFileSync(`${target}.tmp`, JSON.stringify(whatIsHeld()));
    renameSync(`${target}.tmp`, target);
  });
}

function whatIsHeld() {
  const { heapUsed, external, rss } = process.memoryUsage();
  const active = {};
  for (const kind of process.getActiveResourcesInfo()) active[kind] = (active[kind] ?? 0) + 1;
  const status = readFileSync('/proc/self/status', 'utf8');
  return {
    heapMb: inMb(heapUsed),
    buffersMb: inMb(external),
    residentMb: inMb(rss),
    files: readdirSync('/proc/self/fd').length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
    active,
  };
}

function inMb(bytes) {
  return Math.round(bytes / 104_857.6) / 10;
}
