/** The command line as an operator starts it, with gauges beside it. */
import { existsSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerParent } from './child.js';

const resolution = 1;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let cpu = process.cpuUsage();
setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Milliseconds for which this thread could have gone on and had no core; 0 where nobody knows. */
const schedule = '/proc/self/schedstat';
const waitedMs = existsSync(schedule)
  ? () => Number(readFileSync(schedule, 'utf8').split(' ')[1]) / 1e6
  : () => 0;

/** A longest block without that time: the others on this machine have no part in it. */
const TICK_MS = 5;
let longestOwnMs = 0;
let last = { at: performance.now(), waited: waitedMs() };
setInterval(() => {
  const now = { at: performance.now(), waited: waitedMs() };
  const ownMs = now.at - last.at - (now.waited - last.waited) - TICK_MS;
  longestOwnMs = Math.max(longestOwnMs, ownMs);
  last = now;
}, TICK_MS).unref();

answerParent({
  async reset() {
    // What is blocked until here has to be noticed before it is forgotten.
    await pause(4 * TICK_MS);
    cpu = process.cpuUsage();
    delays.reset();
    longestOwnMs = 0;
  },
  read() {
    const { user, system } = process.cpuUsage(cpu);
    const gauges = {
      cpuMs: (user + system) / 1000,
      longestBlockMs: Math.max(0, delays.max / 1e6 - resolution),
      longestOwnBlockMs: longestOwnMs,
      delayP99Ms: Math.max(0, delays.percentile(99) / 1e6 - resolution),
      peakMemoryMb: process.resourceUsage().maxRSS / 1024,
    };
    return Promise.resolve(gauges);
  },
  /** Memory that is still held after everything that can go has gone. */
  collect() {
    if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
    const { heapUsed, external, rss } = process.memoryUsage();
    return Promise.resolve({ heldMb: (heapUsed + external) / 2 ** 20, rssMb: rss / 2 ** 20 });
  },
});

await import('../../src/cli/main.js');
