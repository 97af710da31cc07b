import { AnalyserError, isUnanswered } from '../../base/errors.js';
import { withoutFullStop } from '../../base/sentences.js';
import type { Config } from '../../config/schema.js';
import type { Memory } from '../../memory/memory.js';
import type { FoundMemory, StoredMemory } from '../../memory/stored-memory.js';
import type { AnalysisHistory } from '../../store/history.js';
import { raiseMemoryNote, readMemoryNote } from '../../store/memory-note.js';
import type { Connection } from '../connection.js';
import { limits } from '../limits.js';
import { ownPodClient } from '../own-pod-client.js';
import { takeOverKeys } from '../publish/document-keys.js';
import { resultsFolder } from '../publish/recipient-documents.js';

export type MemoryAccess = ReturnType<typeof memoryAccess>;

/** The stored memory, and this machine's note of the newest version that it has seen. */
export function memoryAccess(
  connection: Pick<Connection, 'client' | 'memory' | 'pod'>,
  { output: { state_dir }, sharing }: Pick<Config, 'output' | 'sharing'>,
  history: Pick<AnalysisHistory, 'hasSentFigures'>,
) {
  const { client, memory: stored, pod } = connection;
  /** With the keys of documents that were published before there was a memory. */
  const read = async (signal?: AbortSignal): Promise<FoundMemory> => {
    const evidence = {
      note: await readMemoryNote(state_dir, pod.webId),
      hasSentFigures: () => history.hasSentFigures(pod.webId),
    };
    const found = await stored.read(evidence, signal);
    if (found.isStored || !sharing.enabled) return found;
    const folder = resultsFolder({ sharing, analyser: pod });
    const taken = await takeOverKeys(connection, folder, found, signal);
    return { ...found, ...taken };
  };

  /** Also notes the version that was written. Returns null, or why it could not be written. */
  const write = async (...what: Parameters<StoredMemory['write']>): Promise<string | null> => {
    const outcome = await stored.write(...what);
    if (outcome.written === null) return withoutFullStop(outcome.reason);
    await raiseMemoryNote(state_dir, pod.webId, outcome.written);
    return null;
  };

  return {
    read,
    /**
     * Stores the memory of an analysis, past the last checkpoint and before any figure leaves. Returns null, or why it
     * could not be stored: then no figure of the cohort may leave. A trial run, without sharing, remembers nothing.
     */
    async keep(
      found: FoundMemory,
      memory: Memory,
      writingEnds: AbortSignal,
    ): Promise<string | null> {
      if (!sharing.enabled) return null;
      const through = ownPodClient(client, stored.url, { limitMs: limits.memoryMs, writingEnds });
      try {
        return await write(found, memory, { through });
      } catch (error) {
        if (!isUnanswered(error)) throw error;
        return withoutFullStop(error.message);
      } finally {
        through.end();
      }
    },
    /** For an operator, who holds the lock. `isConfirmed`: a memory that does not open may be replaced. */
    async change(
      change: (found: FoundMemory) => Memory | Promise<Memory>,
      isConfirmed = false,
    ): Promise<void> {
      const found = await read();
      const reason = await write(found, await change(found), { isConfirmed });
      if (reason !== null) throw new AnalyserError('server', `${reason}.`);
    },
  };
}
