import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../base/logger.js';
import type { Config, Secrets } from '../config/schema.js';
import type { AnalysisQueue, QueueLimits, RunTurn } from '../queue/analysis-queue.js';
import type { PodReader } from '../run/read/pod-reader.js';
import { Crew } from './crew.js';
import { createManyProcesses } from './many-processes.js';
import { SharedLine } from './shared-line.js';
import { SharedLineQueue } from './shared-line-queue.js';
import { SharedRedis } from './shared-redis.js';
import { deriveSharedSecret } from './shared-secret.js';
import { WorkQueue } from './work-queue.js';

export interface JoinSettings {
  config: Config;
  secrets: Secrets;
  redisUrl: string;
  version: string;
  log: Logger;
}

/** A place among the processes of one Analyser, for one that has callers. */
export interface Membership {
  podReader: PodReader;
  createQueue(limits: QueueLimits, runTurn: RunTurn): AnalysisQueue;
  leave(): Promise<void>;
}

/** A Redis that is away lets nothing be closed in order. */
const FAREWELL_MS = 3_000;

export async function join(settings: JoinSettings): Promise<Membership> {
  const { config, secrets, redisUrl, version, log } = settings;
  const secret = await deriveSharedSecret(secrets.securityKey, config.analyser.web_id);
  const redis = new SharedRedis(redisUrl, { prefix: secret.prefix, log });
  await redis.firstContact();
  const crew = new Crew(redis, secret.prefix, { role: 'service', version });
  const queue = new WorkQueue(redis, secret, crew);
  const lines: SharedLine[] = [];
  return {
    podReader: createManyProcesses(queue, crew),
    createQueue(limits, runTurn) {
      const line = new SharedLine(redis, secret, crew, { ...limits, inHand: Infinity });
      lines.push(line);
      return new SharedLineQueue(line, runTurn);
    },
    async leave() {
      const closing = [crew.leave(), queue.close(), ...lines.map((line) => line.dispose())];
      await Promise.race([
        Promise.allSettled(closing),
        pause(FAREWELL_MS, undefined, { ref: false }),
      ]);
      redis.close();
    },
  };
}
