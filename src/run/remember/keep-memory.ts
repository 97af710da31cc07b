import { AnalyserError } from '../../base/errors.js';
import { withoutFullStop } from '../../base/sentences.js';
import type { Config } from '../../config/schema.js';
import type { Memory } from '../../memory/memory.js';
import { writeMemory } from '../../memory/memory-format.js';
import type { FoundMemory, NotedMemory, StoredMemory } from '../../memory/stored-memory.js';
import { raiseMemoryNote, readMemoryNote } from '../../store/memory-note.js';
import type { ResultsStore } from '../../store/results-store.js';
import type { Connection } from '../connection.js';

/** The stored memory, and this machine's note of the newest version that it has seen. */
export interface MemoryPlace {
  stored: StoredMemory;
  read: (signal?: AbortSignal) => Promise<FoundMemory>;
  note(noted: NotedMemory): Promise<void>;
}

export function memoryPlace(
  { memory: stored, pod: { webId } }: Pick<Connection, 'memory' | 'pod'>,
  { state_dir }: Pick<Config['output'], 'state_dir'>,
  results: Pick<ResultsStore, 'hasSentCohortFigure'>,
): MemoryPlace {
  return {
    stored,
    read: async (signal) => {
      const evidence = {
        note: await readMemoryNote(state_dir, webId),
        hasSentFigure: () => results.hasSentCohortFigure(webId),
      };
      return await stored.read(evidence, signal);
    },
    note: (noted) => raiseMemoryNote(state_dir, webId, noted),
  };
}

/**
 * Stores the new memory, past the last checkpoint and before any figure leaves. Returns null, or why it could
 * not be stored: then no figure of the cohort may leave. A trial run, without sharing, remembers nothing.
 */
export async function keepMemory(
  { sharing }: Pick<Config, 'sharing'>,
  place: MemoryPlace,
  before: FoundMemory,
  memory: Memory,
): Promise<string | null> {
  if (!sharing.enabled) return null;
  if (before.isAsStored && isSame(memory, before.memory)) {
    const { version, replaces } = before;
    await place.note({ version, digest: replaces.digest ?? '' });
    return null;
  }
  const outcome = await place.stored.write(before, memory);
  if (outcome.written === null) return withoutFullStop(outcome.reason);
  await place.note(outcome.written);
  return null;
}

/** Changes the memory for an operator, who holds the lock; throws when it could not be stored. */
export async function changeMemory(
  place: MemoryPlace,
  change: (found: FoundMemory) => Memory | Promise<Memory>,
): Promise<void> {
  const found = await place.read();
  const outcome = await place.stored.write(found, await change(found));
  if (outcome.written === null) {
    throw new AnalyserError('server', `${withoutFullStop(outcome.reason)}.`);
  }
  await place.note(outcome.written);
}

const UNKEPT =
  'What this analysis found out was not remembered, so no figures of the cohort were sent';

export function unkeptWarning(reason: string): string {
  return `${UNKEPT}: ${reason}.`;
}

/** Whether this warning of a run says that nothing was remembered. */
export function isUnkept(warning: string): boolean {
  return warning.startsWith(UNKEPT);
}

function isSame(one: Memory, other: Memory): boolean {
  const textOf = (memory: Memory) => writeMemory({ version: 0, memory });
  return textOf(one) === textOf(other);
}
