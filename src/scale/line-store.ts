import { z } from 'zod';
import type { QueueFullError, RecordedRun } from '../queue/analysis-queue.js';
import type { LineLimits } from './line.js';
import { lineScripts } from './line-scripts.js';
import { parseJson } from './parse-json.js';
import type { SharedRedis } from './shared-redis.js';
import type { SharedSecret } from './shared-secret.js';

/** How long a process may be silent before its callers lose their place. */
export const LEASE_MS = 6_000;

const refusal = z.enum(['', 'all', 'perCaller', 'perPeer']);
const standing = z.enum(['gone', 'waiting', 'turn', 'stopped']);
const renewed = z.tuple([z.string().regex(/^\d+$/)]).rest(standing);
const grant = z.enum(['over', 'held', 'busy']);
const commit = z.enum(['gone', 'stopped', 'committed']);
const cancelled = z.array(z.string());
const recorded = z.object({ id: z.string(), at: z.string() });

export type Standing = z.infer<typeof standing>;

/** The line in Redis, a method for each script. Callers are known there by a keyed name only. */
export class LineStore {
  readonly #keys: string[];
  readonly #lastRunKey: string;

  constructor(
    private readonly redis: SharedRedis,
    private readonly secret: SharedSecret,
  ) {
    const key = (name: string) => `${secret.prefix}:line:${name}`;
    this.#keys = [key('leases'), key('entries'), key('last-id')];
    this.#lastRunKey = key('last-run');
  }

  async enter(
    id: string,
    { caller, peer }: { caller: string | null; peer: string },
    { all, perCaller, perPeer }: LineLimits,
  ): Promise<QueueFullError['limit'] | ''> {
    const names = [this.#callerName(caller), this.secret.nameOf(`peer ${peer}`)];
    const limits = [all, perCaller, perPeer].map((limit) => Math.min(limit, 1e9));
    return refusal.parse(await this.#run('enter', id, LEASE_MS, ...names, ...limits));
  }

  async renew(ids: readonly string[]): Promise<{ count: number; standings: Standing[] }> {
    const [count, ...standings] = renewed.parse(await this.#run('renew', LEASE_MS, ...ids));
    return { count: Number(count), standings };
  }

  async grant(id: string): Promise<z.infer<typeof grant>> {
    return grant.parse(await this.#run('grant', id));
  }

  async name(id: string, runId: string): Promise<void> {
    await this.#run('name', id, runId);
  }

  async commit(id: string): Promise<z.infer<typeof commit>> {
    return commit.parse(await this.#run('commit', id));
  }

  async cancel(caller: string): Promise<Array<{ runId: string; stopped: boolean }>> {
    const answer = cancelled.parse(await this.#run('cancel', this.#callerName(caller)));
    return answer.flatMap((word, index) =>
      index % 2 === 0 ? [{ runId: word, stopped: answer[index + 1] === 'stopped' }] : [],
    );
  }

  async leave(id: string): Promise<void> {
    await this.#run('leave', id);
  }

  /** Of whichever process; empty before the first. */
  async lastRunId(): Promise<string> {
    const [, , lastId = ''] = this.#keys;
    return (await this.redis.ask((redis) => redis.get(lastId))) ?? '';
  }

  async record(run: RecordedRun): Promise<void> {
    const text = JSON.stringify(run);
    await this.redis.ask((redis) => redis.set(this.#lastRunKey, text));
    this.redis.tell('recorded', text);
  }

  async lastRun(): Promise<RecordedRun | null> {
    const text = await this.redis.ask((redis) => redis.get(this.#lastRunKey));
    return parseRecorded(text ?? 'null');
  }

  #callerName(caller: string | null): string {
    return this.secret.nameOf(caller === null ? 'everybody' : `caller ${caller}`);
  }

  #run(script: keyof typeof lineScripts, ...args: (string | number)[]): Promise<unknown> {
    return this.redis.run(lineScripts[script], this.#keys, args);
  }
}

export function parseRecorded(text: string): RecordedRun | null {
  return recorded.nullable().catch(null).parse(parseJson(text));
}
