import type { Crew } from './crew.js';
import type { SharedRedis } from './shared-redis.js';

export interface RequestBounds {
  /** In flight at once over all workers together; 0: no such bound. */
  together: number;
  perWorker: number;
}

/** What is held back: the client of a worker. */
interface Bounded {
  bound(max: number): void;
  stepBack(): void;
}

/** One machine begins with as many. */
const START = 8;

/**
 * The storage server is asked by all workers together as if by one machine: each has its share
 * of the bound, and when one sees the server choke, all step back.
 */
export class RequestShare {
  #client: Bounded | null = null;

  constructor(
    private readonly crew: Crew,
    private readonly redis: SharedRedis,
    private readonly bounds: RequestBounds,
  ) {
    crew.onChange(() => this.#client?.bound(this.#own()));
    redis.onNews('overload', (teller) => {
      if (teller !== crew.own.id) this.#client?.stepBack();
    });
  }

  /** For a client that is made now. */
  concurrency(): { start: number; max: number } {
    const start = Math.ceil(START / Math.max(this.crew.workers.length, 1));
    return { start: Math.min(start, this.bounds.perWorker), max: this.bounds.perWorker };
  }

  hold(client: Bounded): void {
    this.#client = client;
    client.bound(this.#own());
  }

  tellOverload(): void {
    this.redis.tell('overload', this.crew.own.id);
  }

  #own(): number {
    const ids = this.crew.workers.map(({ id }) => id).sort();
    return shareOf(ids.indexOf(this.crew.own.id), ids.length, this.bounds);
  }
}

/** A worker that is not among the others yet asks for nothing. */
export function shareOf(position: number, workers: number, bounds: RequestBounds): number {
  const { together, perWorker } = bounds;
  if (together === 0) return perWorker;
  if (position === -1) return 0;
  const share = Math.floor(together / workers) + (position < together % workers ? 1 : 0);
  return Math.min(share, perWorker);
}
