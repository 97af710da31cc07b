/** The command line as an operator starts it, with gauges beside it. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerParent } from './child.js';

const resolution = 1;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let cpu = process.cpuUsage();
setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

answerParent({
  reset() {
    cpu = process.cpuUsage();
    delays.reset();
    return Promise.resolve();
  },
  read() {
    const { user, system } = process.cpuUsage(cpu);
    const gauges = {
      cpuMs: (user + system) / 1000,
      longestBlockMs: Math.max(0, delays.max / 1e6 - resolution),
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
