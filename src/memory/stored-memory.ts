import type { DocumentSeal } from '../pod/crypto/document-seal.js';
import type { UnlockedPod } from '../pod/unlock-pod.js';
import type { SolidClient } from '../solid/solid-client.js';
import { stoppedBy } from '../solid/stopped-by.js';
import { type DocumentVersion, readVersion, replaceVersion } from './document-version.js';
import { emptyMemory, type Memory } from './memory.js';
import { readMemory, type VersionedMemory, writeMemory } from './memory-format.js';
import { MemoryKey } from './memory-key.js';
import { MOST_SEALED_BYTES } from './room.js';

/** What this machine knows of the memory from elsewhere. */
export interface Evidence {
  /** The newest version that it has noted, 0 for none; or that the note is damaged. */
  note: { state: 'read'; version: number } | { state: 'damaged'; path: string };
  /** Whether a stored run has sent somebody a cohort figure. */
  hasSentFigure: () => Promise<boolean>;
}

/** What stands where the memory should be: its version, or that nothing does or that it is shut. */
type Found = number | 'absent' | 'shut';

/** Why the memory may not be the newest; null when nothing speaks against it. */
export async function findDoubt(
  url: string,
  found: Found,
  { note, hasSentFigure }: Evidence,
): Promise<string | null> {
  if (note.state === 'damaged') return `${note.path} is damaged`;
  if (found === 'shut') return `${url} does not open: it is damaged, or sealed with another key`;
  if (found === 'absent') {
    if (note.version > 0) return `${url} is gone`;
    const hasSent = await hasSentFigure();
    return hasSent ? `${url} does not exist, although cohort figures have been sent out` : null;
  }
  if (found >= note.version) return null;
  return `${url} is older (version ${found}) than the one seen before (${note.version})`;
}

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

type WriteOutcome =
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

interface Opened {
  version: DocumentVersion;
  /** Null when there is none, or it does not open. */
  content: VersionedMemory | null;
}

export function openStoredMemory(client: SolidClient, pod: UnlockedPod): StoredMemory {
  const url = memoryUrl(pod);
  const address = { url, maxBytes: MOST_SEALED_BYTES };
  const key = new MemoryKey(pod, url);
  /** What was read or written last. */
  let last: Opened | null = null;

  async function open(reader: SolidClient): Promise<Opened & { seal: DocumentSeal }> {
    const { version, body } = await readVersion(reader, address);
    const openWith = (seal: DocumentSeal | null) =>
      body && seal && openMemory(seal.open(body.toString('latin1'), url));
    const isKnown = last !== null && last.version.digest === version.digest;
    let content = (isKnown ? last?.content : openWith(key.seal)) ?? null;
    // If it does not open, the key may be another one by now, or gone together with the document.
    const seal = (content && key.seal) ?? (await key.lookUp(reader));
    content ??= openWith(seal);
    last = { version, content };
    return { ...last, seal };
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
      const kept = await key.keep(client);
      if (typeof kept === 'object') return { kind: 'refused', reason: kept.reason };
      const { seal } = key;
      // What was digested with our own key means nothing to who has another.
      if (kept === 'another' || seal === null) return { kind: 'changed' };
      const content = { version: found.version + 1, memory };
      const replaced = await replaceVersion(client, address, found.replaces, {
        bodyFor: (isGuarded) => seal.seal(writeMemory({ ...content, isGuarded }), url),
        isGuarded: found.isGuarded,
      });
      if (replaced.kind !== 'written') return replaced;
      const { version, isGuarded } = replaced;
      last = { version, content: { ...content, isGuarded } };
      return { kind: 'written', version: content.version, isGuarded };
    },
    dispose() {
      key.dispose();
      last = null;
    },
  };
}

function openMemory(text: Buffer | null): VersionedMemory | null {
  return text === null ? null : readMemory(text.toString());
}
