import { mapConcurrently } from '../../base/concurrency.js';
import { compare } from '../../base/lists.js';
import { isCaller } from '../assignment.js';
import type { Pod } from '../table/row.js';
import { type AskingTime, clear, timeElsewhere } from './deadline.js';
import { readServer, type ServerTools } from './read-server.js';
import { hasAnswered, knockAt, noteSilence } from './silent-pods.js';

/** How many files and folders, at most, are requested at once from another server, and from all others together. */
const [MOST_ELSEWHERE, MOST_OF_OTHERS] = [16, 64];
/** If there are more strange servers than are read at once, so long is waited for the first sign of each. */
const SIGN_MS = 3_000;

type Server = readonly [origin: string, pods: readonly Pod[]];

interface OthersTime {
  time: AskingTime;
  /** The reading from the Analyser's own server. */
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
  const beganAll = now();
  const readAll = (some: readonly Server[], isCrowd: boolean) => {
    const atOnce = Math.min(MOST_ELSEWHERE, Math.floor(MOST_OF_OTHERS / some.length));
    return mapConcurrently(some, MOST_OF_OTHERS, async (server) => {
      const patienceMs = patienceOf(server[0]);
      // No caller waits for a crowd of strange servers longer than for one; nobody waits for run-once.
      const began = isCrowd && served !== 'everybody' ? beganAll : now();
      const there = timeElsewhere(time, ownEnd, { patienceMs, began });
      const limits = { time: there, patienceMs, atOnce: Math.max(1, atOnce) };
      try {
        if (!isCrowd || (await givesSign(server, tools, there))) {
          await readOther(server, tools, limits);
        }
      } finally {
        // What it has not answered by now, nobody waits for.
        there.reading.endIn(0);
        clear(there);
      }
    });
  };
  return [readAll(familiar, false), readAll(strange, strange.length > MOST_OF_OTHERS)];
}

async function readOther(
  [origin, pods]: Server,
  tools: ServerTools,
  limits: { time: AskingTime; patienceMs: number; atOnce: number },
): Promise<void> {
  const { time, patienceMs } = limits;
  const asking = { deadline: time.reading, patienceMs };
  const isKnown = pods.some(({ known }) => known !== null);
  const sign = isKnown ? knockAt(origin, tools.connection.client, asking) : 'answer';
  await readServer(pods, tools, { ...limits, analyserDocument: null });
  noteSilence(pods, !pods.some(hasAnswered) && (await sign) === 'silence');
}

async function givesSign(
  [origin]: Server,
  { connection: { client } }: ServerTools,
  { reading }: AskingTime,
): Promise<boolean> {
  const deadline = reading.sooner();
  deadline.endIn(SIGN_MS);
  const sign = await knockAt(origin, client, { deadline });
  deadline.clear();
  return sign === 'answer';
}
