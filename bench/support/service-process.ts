/** The service as the mode `grpc` runs it, with gauges. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { createLogger } from '../../src/base/logger.js';
import { joinOthers } from '../../src/cli/joining.js';
import { configSchema } from '../../src/config/schema.js';
import { createEngine } from '../../src/cycle/engine.js';
import { unobserved } from '../../src/cycle/observer.js';
import { startServer } from '../../src/grpc/server.js';
import { answerParent } from './child.js';

export const questionSchema = z.object({
  config: configSchema,
  secrets: z.object({
    clientId: z.string(),
    clientSecret: z.string(),
    securityKey: z.string(),
    grpcToken: z.null(),
    redisUrl: z.string().nullable(),
  }),
});

const resolution = 1;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let cpu = process.cpuUsage();
setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

answerParent({
  async start(question) {
    const { config, secrets } = questionSchema.parse(question);
    const log = createLogger({ verbose: false });
    log.level = 'warn';
    const { workforce, createLine } = await joinOthers(config, secrets, log);
    const engine = createEngine(config, secrets, log, unobserved, workforce);
    const settings = { engine, config, token: null, log };
    const { port } = await startServer({ ...settings, ...(createLine && { createLine }) });
    return { port };
  },
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
