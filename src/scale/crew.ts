import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { lua } from './lua.js';
import { parseJson } from './parse-json.js';
import { repeat } from './repeat.js';
import type { SharedRedis } from './shared-redis.js';

export type Role = 'service' | 'worker';

export interface Member {
  role: Role;
  version: string;
  id: string;
}

/** How long a member that is not heard of counts as there. */
const LEASE_MS = 4_000;
const BEAT_MS = 1_000;

const memberSchema = z.object({
  role: z.enum(['service', 'worker']),
  version: z.string(),
  id: z.string(),
});

const texts = z.array(z.string()).catch([]);

/** ARGV: channel, whether this member is there, the member, its lease. Answers who is there. */
const beatScript = lua`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local changed = redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if ARGV[2] == '1' then changed = changed + redis.call('ZADD', KEYS[1], now + ARGV[4], ARGV[3])
else changed = changed + redis.call('ZREM', KEYS[1], ARGV[3]) end
if changed > 0 then redis.call('PUBLISH', ARGV[1], 'crew ') end
return redis.call('ZRANGE', KEYS[1], 0, -1)
`;

/** Who is at work for this Analyser: every process says so again and again. */
export class Crew {
  readonly own: Member;
  members: readonly Member[] = [];
  readonly #redis: SharedRedis;
  readonly #key: string;
  readonly #closing = new AbortController();
  readonly #listeners: Array<() => void> = [];
  #isPresent: boolean;
  readonly #beating: Promise<void>;

  constructor(
    redis: SharedRedis,
    prefix: string,
    { role, version }: { role: Role; version: string },
  ) {
    this.own = { role, version, id: randomUUID() };
    this.#redis = redis;
    this.#key = `${prefix}:crew`;
    // A worker comes when it can work.
    this.#isPresent = role === 'service';
    redis.onNews('crew', () => void this.#beat());
    this.#beating = repeat(BEAT_MS, this.#closing.signal, () => this.#beat());
  }

  /** Workers that this process can give work to, or that share it. */
  get workers(): readonly Member[] {
    return this.members.filter((one) => one.role === 'worker' && one.version === this.own.version);
  }

  /** Why this process cannot do its part, in words; empty when it can. */
  get problem(): string {
    return describeProblem(this.own, this.members);
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async show(isPresent: boolean): Promise<void> {
    this.#isPresent = isPresent;
    await this.#beat();
  }

  async leave(): Promise<void> {
    this.#closing.abort();
    await this.#beating;
    this.#isPresent = false;
    await this.#beat();
  }

  async #beat(): Promise<void> {
    const words = [this.#isPresent ? '1' : '0', JSON.stringify(this.own), LEASE_MS];
    const answer = await this.#redis.run(beatScript, [this.#key], words).catch(() => null);
    // Redis is away: who was there is as likely there as not.
    if (answer === null) return;
    const before = JSON.stringify(this.members);
    this.members = texts.parse(answer).sort().flatMap(parseMember);
    if (JSON.stringify(this.members) === before) return;
    for (const listener of this.#listeners) listener();
  }
}

/** Others can write to Redis as well: what is no member is passed over. */
function parseMember(text: string): Member[] {
  const parsed = memberSchema.safeParse(parseJson(text));
  return parsed.success ? [parsed.data] : [];
}

/** Versions that do not match give each other no work: what one sends, the other may misread. */
export function describeProblem(own: Member, members: readonly Member[]): string {
  const wanted = own.role === 'service' ? 'worker' : 'service';
  const others = members.filter(({ role }) => role === wanted);
  if (others.some(({ version }) => version === own.version)) return '';
  const versions = [...new Set(others.map(({ version }) => version))].sort().join(' and ');
  if (wanted === 'worker') {
    return versions === ''
      ? 'No worker is ready to read: start one with the mode worker, or look at its log.'
      : `The workers run version ${versions} and this service runs version ${own.version}: bring all to the same version.`;
  }
  return versions === ''
    ? ''
    : `The services run version ${versions} and this worker runs version ${own.version}: it is given no work until all run the same version.`;
}
