import { AnalyserError, messageOf, ServerError } from '../base/errors.js';
import type { FoundMemory } from '../memory/stored-memory.js';
import { readInbox } from '../pod/inbox.js';
import type { Connection } from './connection.js';
import type { MemoryAccess } from './remember/memory-access.js';
import { isInView, misspelledIn, type ShareRules } from './table/classify-share.js';
import type { InboxOrReason } from './table/gather-shares.js';

/** Steps 1 and 2, at the same time. */
export async function readInboxAndMemory(
  { client, pod, opener, inboxCache: cache }: Connection,
  rules: ShareRules,
  access: Pick<MemoryAccess, 'read'>,
  signal: AbortSignal,
): Promise<{ inbox: InboxOrReason; before: FoundMemory }> {
  const asking = {
    isInView: (url: string) => isInView(url, rules),
    objectionTo: misspelledIn(rules),
    cache,
    signal,
  };
  const [memory, asked] = await Promise.allSettled([
    access.read(signal),
    readInbox(client, pod, opener, asking),
  ]);
  signal.throwIfAborted();
  const before = valueOf(memory);
  if (asked.status === 'fulfilled') return { inbox: asked.value, before };
  // Anybody can spoil the inbox, so a spoiled inbox never ends an analysis. Any other failure ends it if no shares are
  // remembered; a refused login ends it in every case.
  const isKnown = [...before.memory.pods.values()].some(({ shares }) => shares.size > 0);
  if (!isKnown && !isSpoiled(asked.reason)) throw asked.reason;
  return { inbox: withoutInbox(asked.reason), before };
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** Anybody can spoil the inbox, so remembered shares are read even then. Throws what concerns more than the inbox. */
export function withoutInbox(error: unknown): InboxOrReason & { shares: [] } {
  const concernsInbox = error instanceof ServerError ? error.failure !== 'login' : isSpoiled(error);
  if (!concernsInbox) throw error;
  return { shares: [], notInView: [], warnings: [], unread: messageOf(error) };
}

function isSpoiled(error: unknown): boolean {
  if (error instanceof ServerError) return error.failure === 'too-large';
  return error instanceof AnalyserError && error.kind === 'malformed';
}
