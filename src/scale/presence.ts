import type { Queue } from 'bullmq';
import type { SharedRedis } from './shared-redis.js';

interface Member {
  role: 'service' | 'worker';
  version: string;
}

/** Shared by all versions: who works on one of these queues is named after its version. */
export const queueOf = { service: 'turns', worker: 'readers' } as const;

/** Whom this process needs beside it, as Redis knows it from its connections. */
export class Presence {
  /** Why this process cannot do its part, in words; empty when it can. */
  problem = '';
  readonly #others: Queue;

  constructor(
    private readonly redis: SharedRedis,
    private readonly own: Member,
  ) {
    this.#others = redis.openQueue(queueOf[own.role === 'service' ? 'worker' : 'service']);
  }

  async look(): Promise<void> {
    const workers = await this.redis.ask(() => this.#others.getWorkers());
    // A Redis that does not list its connections is trusted to have the right ones.
    const versions = workers.map(({ rawname }) => rawname?.split(':w:')[1] ?? this.own.version);
    this.problem = describeProblem(this.own, versions);
  }
}

/** Versions that do not match give each other no work: what one sends, the other may misread. */
export function describeProblem({ role, version }: Member, others: readonly string[]): string {
  if (others.includes(version)) return '';
  const versions = [...new Set(others)].sort().join(' and ');
  if (role === 'service' && versions === '') {
    return 'No worker is ready to read: start one with the mode worker, or look at its log.';
  }
  if (versions === '') return '';
  return role === 'service'
    ? `The workers run version ${versions} and this service runs version ${version}: bring all to the same version.`
    : `The services run version ${versions} and this worker runs version ${version}: it is given no work until all run the same version.`;
}
