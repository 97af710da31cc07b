import { isUnanswered } from '../../base/errors.js';
import { withoutFullStop } from '../../base/sentences.js';
import type { Memory } from '../../memory/memory.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { ownPodClient } from '../own-pod-client.js';
import type { MemoryAccess } from './memory-access.js';

/** Callers wait meanwhile. */
const LIMIT_MS = 20_000;

/**
 * Stores the new memory, past the last checkpoint and before any figure leaves. Returns null, or why it could
 * not be stored: then no figure of the cohort may leave. A trial run, without sharing, remembers nothing.
 */
export async function keepMemory(
  { url, client, isKept, write }: MemoryAccess,
  before: FoundMemory,
  memory: Memory,
  writingEnds: AbortSignal,
): Promise<string | null> {
  if (!isKept) return null;
  const own = ownPodClient(client, url, { limitMs: LIMIT_MS, writingEnds });
  try {
    const outcome = await write(before, memory, { through: own });
    return outcome.written === null ? withoutFullStop(outcome.reason) : null;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return withoutFullStop(error.message);
  } finally {
    own.end();
  }
}

export function unkeptWarning(reason: string): string {
  return `What this analysis found out was not remembered, so no figures of the cohort were sent: ${reason}.`;
}
