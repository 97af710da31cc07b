import { AnalyserError, messageOf, ServerError } from '../base/errors.js';
import { createDocumentSeal, type DocumentSeal } from '../pod/crypto/document-seal.js';
import { createResourceKey } from '../pod/crypto/resource-key.js';
import { ensureResourceKeys, findResourceKeys } from '../pod/resource-keys.js';
import type { UnlockedPod } from '../pod/unlock-pod.js';
import type { SolidClient } from '../solid/solid-client.js';
import { stoppedBy } from '../solid/stopped-by.js';
import { type DocumentVersion, readVersion, replaceVersion } from './document-version.js';
import { type Evidence, findDoubt } from './doubt.js';
import { emptyMemory, type Memory } from './memory.js';
import { readMemory, type VersionedMemory, writeMemory } from './memory-format.js';
import { MOST_SEALED_BYTES } from './room.js';

/** The memory as an analysis finds it. */
export interface FoundMemory {
  /** With the reason in `withheld`, and empty, where the stored one is gone or does not open. */
  memory: Memory;
  /** The newest version that is known; 0 before the first. */
  version: number;
  /** False where it has to be written even if nothing changes: it is new, or newly withheld. */
  isAsStored: boolean;
  /** Keyed: equal for equal texts, and says nothing without the key. */
  fingerprint: DocumentSeal['fingerprint'];
  /** What a new version replaces. */
  replaces: DocumentVersion;
  /** Whether the server is known to replace only the version that it is told to. */
  isGuarded: boolean;
}

export type WriteOutcome =
  /** Without `isGuarded`, two processes that write at the same time can undo each other's news. */
  | { kind: 'written'; version: number; isGuarded: boolean }
  /** By another process since it was read: read it again. */
  | { kind: 'changed' }
  /** The server takes no new version: the sentence says why. */
  | { kind: 'refused'; reason: string };

/** The document of the Analyser Pod that holds the memory. One for each connection. */
export interface StoredMemory {
  readonly url: string;
  /** Rejects when the server gives no answer. Writes nothing. */
  read(evidence: Evidence, signal?: AbortSignal): Promise<FoundMemory>;
  /** Replaces what was found, and nothing newer. Rejects when it is not known to be stored. */
  write(found: FoundMemory, memory: Memory): Promise<WriteOutcome>;
  /** Drops what is in memory and overwrites the key. */
  dispose(): void;
}

export function memoryUrl({ documents }: Pick<UnlockedPod, 'documents'>): string {
  return `${documents.app}analyser/memory.txt`;
}

interface Held {
  key: Buffer;
  seal: DocumentSeal;
  /** Whether the key stands in the Pod. */
  isKept: boolean;
}

interface Opened {
  version: DocumentVersion;
  content: VersionedMemory | null;
}

export function openStoredMemory(client: SolidClient, pod: UnlockedPod): StoredMemory {
  const url = memoryUrl(pod);
  const address = { url, maxBytes: MOST_SEALED_BYTES };
  let held: Held | null = null;
  /** What was read or written last, and how it opens with the key that is held. */
  let last: Opened | null = null;

  const hold = (key: Buffer, isKept: boolean): Held => {
    held = { key, seal: createDocumentSeal(key), isKept };
    last = null;
    return held;
  };

  /** The key from the Pod; without one, one that is kept with the first memory that is written. */
  async function lookUpKey(reader: SolidClient): Promise<Held> {
    const stored = await findKey(reader, pod, url);
    if (stored === null) return held?.isKept === false ? held : hold(createResourceKey(), false);
    return held?.key.equals(stored) ? held : hold(stored, true);
  }

  async function open(reader: SolidClient): Promise<Opened & { seal: DocumentSeal }> {
    const { version, body } = await readVersion(reader, address);
    const isKnown = last !== null && last.version.digest === version.digest;
    let content = (isKnown ? last?.content : held && openBody(body, held.seal)) ?? null;
    // If it does not open, the key may be another one by now, or gone together with the document.
    const { seal } = content !== null && held !== null ? held : await lookUpKey(reader);
    content ??= openBody(body, seal);
    last = { version, content };
    return { ...last, seal };
  }

  function openBody(body: Buffer | null, seal: DocumentSeal): VersionedMemory | null {
    const text = body === null ? null : seal.open(body.toString('latin1'), url);
    return text === null ? null : readMemory(text);
  }

  return {
    url,
    async read(evidence, signal) {
      const { version: replaces, content, seal } = await open(stoppedBy(client, signal));
      const found = content?.version ?? (replaces.digest === null ? 'absent' : 'shut');
      const doubt = await findDoubt(url, found, evidence);
      const noted = evidence.note.state === 'read' ? evidence.note.version : 0;
      const memory = content?.memory ?? emptyMemory();
      return {
        memory: doubt === null ? memory : { ...memory, withheld: doubt },
        version: Math.max(content?.version ?? 0, noted),
        isAsStored: content !== null && doubt === null,
        fingerprint: seal.fingerprint,
        replaces,
        isGuarded: content?.isGuarded ?? false,
      };
    },
    async write(found, memory) {
      const key = held ?? (await lookUpKey(client));
      if (!key.isKept) {
        const kept = await keepKey(client, pod, { url, key: key.key });
        if ('reason' in kept) return { kind: 'refused', reason: kept.reason };
        // Another process was first; what was digested with this key means nothing to it.
        if (!kept.key.equals(key.key)) {
          hold(kept.key, true);
          return { kind: 'changed' };
        }
        key.isKept = true;
      }
      const content = { version: found.version + 1, memory };
      const replaced = await replaceVersion(client, address, found.replaces, {
        bodyFor: (isGuarded) => key.seal.seal(writeMemory({ ...content, isGuarded }), url),
        isGuarded: found.isGuarded,
      });
      if (replaced.kind !== 'written') return replaced;
      const { version, isGuarded } = replaced;
      last = { version, content: { ...content, isGuarded } };
      return { kind: 'written', version: content.version, isGuarded };
    },
    dispose() {
      held?.key.fill(0);
      held = null;
      last = null;
    },
  };
}

/** Null without a key, or with one that does not open. */
async function findKey(client: SolidClient, pod: UnlockedPod, url: string): Promise<Buffer | null> {
  try {
    return (await findResourceKeys(client, pod, [url])).get(url) ?? null;
  } catch (error) {
    if (error instanceof AnalyserError && error.kind === 'malformed') return null;
    throw error;
  }
}

/** Returns the key that the Pod has now, which is another's if they were first. */
async function keepKey(
  client: SolidClient,
  pod: UnlockedPod,
  { url, key }: { url: string; key: Buffer },
): Promise<{ key: Buffer } | { reason: string }> {
  try {
    const keys = await ensureResourceKeys(client, pod, [url], () => key);
    return { key: keys.get(url) ?? key };
  } catch (error) {
    const isRefusal =
      error instanceof ServerError
        ? error.failure === 'refused'
        : error instanceof AnalyserError && error.kind === 'malformed';
    if (isRefusal) return { reason: messageOf(error) };
    throw error;
  }
}
