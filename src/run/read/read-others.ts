import { mapConcurrently } from '../../base/concurrency.js';
import { compare } from '../../base/lists.js';
import { isCaller } from '../assignment.js';
import { limits } from '../limits.js';
import type { Pod } from '../table/row.js';
import { type AskingTime, clear, timeElsewhere } from './deadline.js';
import { readServer, type ServerTools } from './read-server.js';
import { hasAnswered, knockAt, noteSilence } from './silent-pods.js';

type Server = readonly [origin: string, pods: readonly Pod[]];

interface OthersTime {
  time: AskingTime;
  /** Settles when the Analyser's own server has been read. */
  own: Promise<void>;
}

/**
 * Reads from all servers but the Analyser's own, side by side, and divides the requests among them. Where all hosts of a
 * domain are allowed, strangers can name any number of hosts: those of which nobody is known or calls have requests of
 * their own, so that they take none from the others.
 */
export function readOthers(
  servers: readonly Server[],
  tools: ServerTools,
  { time, own }: OthersTime,
): Promise<unknown>[] {
  const { served, orderOf, patienceOf } = tools.task;
  const isStrange = ([, pods]: Server) =>
    pods.every(({ known, owner }) => known === null && !isCaller(served, owner.webId));
  const familiar = servers.filter((server) => !isStrange(server));
  // In an order that nobody can choose.
  const strange = servers
    .filter(isStrange)
    .map((server) => ({ server, rank: orderOf(server[0]) }))
    .sort((one, other) => compare(one.rank, other.rank))
    .map(({ server }) => server);
  const now = () => performance.now();
  // A failure there ends all reading; here it only ends the wait.
  const ownEnd = own.then(now, now);
  const began = now();
  const readAll = (some: readonly Server[], isCrowd: boolean) => {
    const atOnce = Math.min(
      limits.otherServerAtOnce,
      Math.floor(limits.othersAtOnce / some.length),
    );
    return mapConcurrently(some, limits.othersAtOnce, async (server) => {
      const patienceMs = patienceOf(server[0]);
      const since = isCrowd ? began : now();
      const there = timeElsewhere(time, ownEnd, { patienceMs, began: since });
      if (isCrowd) {
        there.reading.endWithin(limits.crowdMs);
        there.confirming.endWithin(limits.crowdMs);
      }
      try {
        await readOther(server, tools, { time: there, patienceMs, atOnce: Math.max(1, atOnce) });
      } finally {
        // Nobody waits for what it has not answered by now, its first page included: this ends it.
        there.reading.end();
        clear(there);
      }
    });
  };
  // No caller waits for a crowd longer than for one server; nobody waits for run-once.
  const isCrowd = strange.length > limits.othersAtOnce && served !== 'everybody';
  return [readAll(familiar, false), readAll(strange, isCrowd)];
}

async function readOther(
  [origin, pods]: Server,
  tools: ServerTools,
  how: { time: AskingTime; patienceMs: number; atOnce: number },
): Promise<void> {
  const asking = { deadline: how.time.reading, patienceMs: how.patienceMs };
  const isKnown = pods.some(({ known }) => known !== null);
  const sign = isKnown ? knockAt(origin, tools.connection.client, asking) : 'answer';
  await readServer(pods, tools, { ...how, analyserDocument: null });
  noteSilence(pods, !pods.some(hasAnswered) && (await sign) === 'silence');
}
