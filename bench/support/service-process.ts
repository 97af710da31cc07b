/** The command line as an operator starts it, with gauges beside it. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerParent } from './child.js';

let cpu = process.cpuUsage();
setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

answerParent({
  reset() {
    cpu = process.cpuUsage();
    return Promise.resolve();
  },
  read() {
    const { user, system } = process.cpuUsage(cpu);
    return Promise.resolve({
      cpuMs: (user + system) / 1000,
      peakMemoryMb: process.resourceUsage().maxRSS / 1024,
    });
  },
  /** Memory that is still held after everything that can go has gone. */
  collect() {
    if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
    const { heapUsed, external, rss } = process.memoryUsage();
    return Promise.resolve({ heldMb: (heapUsed + external) / 2 ** 20, rssMb: rss / 2 ** 20 });
  },
});

await import('../../src/cli/main.js');
