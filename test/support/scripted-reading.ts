import { vi } from 'vitest';
import { ServerError } from '../../src/base/errors.js';
import { getOrAdd } from '../../src/base/lists.js';
import { webIdOfRoot } from '../../src/pod/addresses.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { readShares } from '../../src/run/read/read-shares.js';
import type { ReadTask } from '../../src/run/read/read-task.js';
import { filesOf, type Pod } from '../../src/run/table/row.js';
import { Patience } from '../../src/solid/requests/patience.js';
import { rejectUnavailable, Server, usualPolicy } from '../../src/solid/requests/server.js';
import type { SolidAnswer, SolidClient } from '../../src/solid/solid-client.js';
import { analyserPod } from './analyser-pod.js';
import { readTask, type Share, share, tableOf } from './readings-of.js';
import { wait } from './wait.js';

export const HOME = 'https://home.example';
const ROOT = `${HOME}/analyser/`;
export const analyser = analyserPod({ webId: webIdOfRoot(ROOT), root: ROOT, appDir: 'app' });

/** What a server does with a request: a status, or an answer with a body and headers, or one that never comes. */
export type Reply =
  | number
  | { status: number; body?: string; headers?: Record<string, string> }
  | 'hangs'
  /** The connection fails after so many seconds. */
  | { failsAfter: number };

export const given: Reply = { status: 200, body: '{"systolic":120,"diastolic":80}' };

/** By the clock of the test. `when`: in seconds since the reading began. */
export interface Sent {
  url: string;
  when: number;
}

/**
 * Step 4 with the real places, pauses and patience of the client, on servers that reply as the test says. The timers have
 * to be fake; they are run until all is read. Replies take `seconds`, 10 ms if nothing else is said.
 */
export async function readFrom(
  reply: (url: string, sent: readonly Sent[]) => Reply,
  pods: readonly Pod[],
  { replySeconds = 0.01, ...changes }: Partial<ReadTask> & { replySeconds?: number } = {},
) {
  const servers = new Map<string, Server>();
  const sent: Sent[] = [];
  const began = performance.now();
  const timersBefore = vi.getTimerCount();
  const send = async (url: string, signal: AbortSignal): Promise<SolidAnswer> => {
    const wanted = reply(url, sent);
    sent.push({ url, when: (performance.now() - began) / 1000 });
    if (wanted === 'hangs') await wait(Number.POSITIVE_INFINITY, signal);
    if (typeof wanted === 'object' && 'failsAfter' in wanted) {
      await wait(wanted.failsAfter * 1000, signal);
      throw new ServerError('unreachable', 'No connection.', { url });
    }
    await wait(replySeconds * 1000, signal);
    const {
      status,
      body = '',
      headers = {},
    } = typeof wanted === 'object' && 'status' in wanted ? wanted : { status: Number(wanted) };
    const allowed = { 'wac-allow': 'user="read",public=""' };
    return rejectUnavailable({
      url,
      status,
      headers: { ...allowed, ...headers },
      body: Buffer.from(body),
    });
  };
  const client: SolidClient = {
    request(url, { signal = new AbortController().signal, patienceMs, ...rules } = {}) {
      const server = getOrAdd(servers, new URL(url).origin, () => new Server(usualPolicy));
      // As long as the real client waits for an answer.
      const patience = new Patience(url, patienceMs ?? 20_000);
      return server.request((until) => send(url, until), { ...rules, signal, patience });
    },
    close: () => Promise.resolve(),
  };
  const ends: number[] = [];
  const task = readTask({ served: ['somebody'], ...changes });
  const note = () => ends.push((performance.now() - began) / 1000);
  const reading = readShares({ client, pod: analyser }, pods, task).finally(note);
  reading.catch(() => undefined);
  while (ends.length === 0) await vi.advanceTimersByTimeAsync(100);
  // What was asked last may still be told that nobody waits for it.
  for (let turns = 0; turns < 20 && vi.getTimerCount() > timersBefore; turns += 1) {
    await vi.advanceTimersByTimeAsync(0);
  }
  // The process of run-once would wait for them.
  const left = vi.getTimerCount() - timersBefore;
  if (left > 0) throw new Error(`Timers are left: ${left}.`);
  return { readings: await reading, sent, seconds: Math.max(...ends) };
}

/** One that shares so many files. */
export function podAt(root: string, files: { known?: number; fresh?: number }): Pod {
  const sharesOf = (what: string, count: number, changes: Omit<Share, 'url'>) =>
    Array.from({ length: count }, (_, n) => share(fileIn(root, `${what}${n}`), changes));
  const owner = {
    root,
    webId: webIdOfRoot(root),
    podId: podIdOfRoot(root),
    rootIs: 'certain' as const,
  };
  const known = sharesOf('known', files.known ?? 0, { isKnown: true });
  return tableOf(owner, [...known, ...sharesOf('new', files.fresh ?? 0, {})]);
}

export function fileIn(root: string, name: string): string {
  return `${root}app/data/${name}.enc.ttl`;
}

/** What became of files, with how many there are of each kind. */
export function kindsOf(pod: Pod | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of pod === undefined ? [] : filesOf(pod)) {
    const name = outcome.kind === 'not read' ? outcome.because : outcome.kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
