import { AnalyserError } from '../../base/errors.js';
import { withoutFullStop } from '../../base/sentences.js';
import type { Config } from '../../config/schema.js';
import type { Memory } from '../../memory/memory.js';
import type { FoundMemory, StoredMemory, WriteOutcome } from '../../memory/stored-memory.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { AnalysisHistory } from '../../store/history.js';
import { raiseMemoryNote, readMemoryNote } from '../../store/memory-note.js';
import type { Connection } from '../connection.js';
import { takeOverKeys } from '../publish/document-keys.js';
import { resultsFolder } from '../publish/recipient-documents.js';

/** The stored memory, and this machine's note of the newest version that it has seen. */
export interface MemoryAccess {
  url: string;
  client: SolidClient;
  /** False in a trial run, which remembers nothing. */
  isKept: boolean;
  /** With the keys of documents that were published before there was a memory. */
  read: (signal?: AbortSignal) => Promise<FoundMemory>;
  /** Also notes the version that was written. */
  write: (...what: Parameters<StoredMemory['write']>) => Promise<WriteOutcome>;
}

export function memoryAccess(
  connection: Pick<Connection, 'client' | 'memory' | 'pod'>,
  { output: { state_dir }, sharing }: Pick<Config, 'output' | 'sharing'>,
  history: Pick<AnalysisHistory, 'hasSentFigures'>,
): MemoryAccess {
  const { client, memory: stored, pod } = connection;
  return {
    url: stored.url,
    client,
    isKept: sharing.enabled,
    async read(signal) {
      const evidence = {
        note: await readMemoryNote(state_dir, pod.webId),
        hasSentFigures: () => history.hasSentFigures(pod.webId),
      };
      const found = await stored.read(evidence, signal);
      if (found.isStored || !sharing.enabled) return found;
      const folder = resultsFolder({ sharing, analyser: pod });
      const taken = await takeOverKeys(connection, folder, found, signal);
      return { ...found, ...taken };
    },
    async write(...what) {
      const outcome = await stored.write(...what);
      if (outcome.written !== null) await raiseMemoryNote(state_dir, pod.webId, outcome.written);
      return outcome;
    },
  };
}

/**
 * Changes the memory for an operator, who holds the lock; throws when it could not be stored. `isConfirmed`: one that does
 * not open may be replaced in any case.
 */
export async function changeMemory(
  access: MemoryAccess,
  change: (found: FoundMemory) => Memory | Promise<Memory>,
  isConfirmed = false,
): Promise<void> {
  const found = await access.read();
  const outcome = await access.write(found, await change(found), { isConfirmed });
  if (outcome.written === null) {
    throw new AnalyserError('server', `${withoutFullStop(outcome.reason)}.`);
  }
}
