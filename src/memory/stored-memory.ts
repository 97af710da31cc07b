import { createDocumentSeal, deriveDocumentKey } from '../pod/crypto/document-key.js';
import type { UnlockedPod } from '../pod/unlock-pod.js';
import { listContainer, putDocument } from '../solid/documents.js';
import { type SolidClient, stoppedBy } from '../solid/solid-client.js';
import {
  bodyDigest,
  type DocumentVersion,
  readVersion,
  replaceVersion,
} from './document-version.js';
import { emptyMemory, type KeyedDigest, keyedDigests, type Memory } from './memory.js';
import { MOST_SEALED_BYTES, readMemory, writeMemory } from './memory-format.js';

export interface NotedMemory {
  version: number;
  /** Empty for version 0, and for a version that was noted without a digest. */
  digest: string;
}

/** What the files of this machine say about the memory. They are checked against the document in the Pod. */
export interface Evidence {
  /** The newest version that this machine has noted, 0 for none; or a damaged note. */
  note: ({ state: 'read' } & NotedMemory) | { state: 'damaged'; path: string };
  hasSentFigures: () => Promise<boolean>;
}

/** What was found at the memory's address: a version, nothing, or a document that does not open. */
type Found = NotedMemory | 'absent' | 'shut';

/** Returns a reason to suspect that the stored memory is not the newest one; null when there is none. */
export async function findDoubt(
  url: string,
  found: Found,
  { note, hasSentFigures }: Evidence,
): Promise<string | null> {
  if (note.state === 'damaged') return `${note.path} is damaged`;
  if (found === 'shut') return `${url} does not open: it is damaged, or sealed with another key`;
  if (found === 'absent') {
    if (note.version > 0) return `${url} is gone`;
    const hasSent = await hasSentFigures();
    return hasSent
      ? `${url} does not exist, although cohort figures have been sent out (or a line of analyses.jsonl cannot be read)`
      : null;
  }
  if (found.version < note.version) {
    return `${url} is older (version ${found.version}) than the one seen before (${note.version})`;
  }
  const isNoted = found.version === note.version && note.digest !== '';
  const isOther = isNoted && found.digest !== note.digest;
  return isOther ? `${url} is another version ${found.version} than the one seen before` : null;
}

/** The memory as an analysis finds it. */
export interface FoundMemory {
  /** Empty when there is no stored memory that opens. If it is gone or does not open, `withheld` has the reason. */
  memory: Memory;
  /** The newest version that is known; 0 before the first. */
  version: number;
  /** False without a stored memory, and for one that does not open. */
  isStored: boolean;
  /** As it is stored; null when it has to be written even if nothing changes: it is new, or newly withheld. */
  text: string | null;
  keyedDigest: KeyedDigest;
  /** The stored version that was read. A write replaces this version only. */
  replaces: DocumentVersion;
  /** A stored document that does not open; it is copied before it is replaced. */
  unopened: Buffer | null;
  /** For the operator; they name nobody. */
  notices: readonly string[];
}

/** If it is not certain that the memory is stored now, `reason` says why. */
export type WriteOutcome = { written: NotedMemory } | { written: null; reason: string };

/** A stored version: the first line of the sealed text is its number, which rises with each write. */
interface Content {
  version: number;
  text: string;
  memory: Memory;
}

interface WritingRules {
  through?: SolidClient;
  /** Whether the operator has looked, and wants a document that does not open to be replaced. */
  isConfirmed?: boolean;
}

export type StoredMemory = ReturnType<typeof openStoredMemory>;

export function memoryUrl({ documents }: Pick<UnlockedPod, 'documents'>): string {
  return `${documents.app}analyser/memory.txt`;
}

/** The most copies of memories that did not open: more copies mean that somebody spoils the memory repeatedly. */
const MOST_COPIES = 3;

/** The document of the Analyser Pod that holds the memory. One for each connection. */
export function openStoredMemory(
  client: SolidClient,
  pod: UnlockedPod,
  now: () => Date = () => new Date(),
) {
  const url = memoryUrl(pod);
  const address = { url, maxBytes: MOST_SEALED_BYTES };
  const key = deriveDocumentKey(pod.privateKey, url.slice(pod.root.length));
  const seal = createDocumentSeal(key);
  key.fill(0);
  const keyedDigest = keyedDigests(seal.fingerprint);
  /** The version that was read or written last, so that an unchanged document is not opened again. */
  let last: { digest: string | null; content: Content | null } | null = null;

  const contentOf = (version: DocumentVersion, body: Buffer | null) => {
    if (last !== null && last.digest === version.digest) return last.content;
    const opened = body && seal.open(body.toString('latin1'), url);
    return opened && parseContent(opened.toString());
  };

  /** Returns why no copy could be made; null when one was made. */
  const keepCopy = async (through: SolidClient, body: Buffer): Promise<string | null> => {
    const members = (await listContainer(through, new URL('.', url).href)) ?? [];
    const copies = members.filter((member) => /\/memory\.[^/]+\.txt$/.test(member));
    if (copies.length >= MOST_COPIES) {
      return `${url} does not open, and ${MOST_COPIES} copies of earlier ones stand beside it: look at them, and remove those that nobody needs`;
    }
    const date = now().toISOString().replace(/[-:.]/g, '');
    const copy = url.replace(/\.txt$/, `.${date}.txt`);
    await putDocument(through, copy, body, { contentType: 'text/plain' });
    return null;
  };

  return {
    url,
    /** Writes nothing. Rejects when the server gives no answer. */
    async read(evidence: Evidence, signal?: AbortSignal): Promise<FoundMemory> {
      const { version, body } = await readVersion(stoppedBy(client, signal), address);
      const content = contentOf(version, body);
      const { digest } = version;
      last = { digest, content };
      const found =
        digest === null
          ? 'absent'
          : content === null
            ? 'shut'
            : { version: content.version, digest };
      const doubt = await findDoubt(url, found, evidence);
      const noted = evidence.note.state === 'read' ? evidence.note.version : 0;
      const memory = content?.memory ?? emptyMemory();
      return {
        memory: doubt === null ? memory : { ...memory, withheld: doubt },
        version: Math.max(content?.version ?? 0, noted),
        text: doubt === null ? (content?.text ?? null) : null,
        isStored: content !== null,
        keyedDigest,
        replaces: version,
        unopened: content === null ? body : null,
        notices: [],
      };
    },
    /** Replaces what was found, if anything changed. Rejects when the server gives no answer to reading either. */
    async write(
      found: FoundMemory,
      memory: Memory,
      { through = client, isConfirmed = false }: WritingRules = {},
    ): Promise<WriteOutcome> {
      const { version, replaces, unopened } = found;
      const text = writeMemory(memory);
      if (text === found.text) return { written: { version, digest: replaces.digest ?? '' } };
      const isKnown = unopened === null || isConfirmed;
      if (!isKnown && replaces.etag === null) {
        return {
          written: null,
          reason: `${url} does not open, and has no ETag that tells it from a page in its place; once you know that it is damaged, the mode \`release\` with --confirm replaces it, and keeps a copy`,
        };
      }
      const content = { version: version + 1, text, memory };
      const body = seal.seal(`${content.version}\n${text}`, url);
      // Nothing is left out to make it fit: what is left of a Pod would be a part of it, and pass for the whole.
      if (body.length > MOST_SEALED_BYTES) return { written: null, reason: tooLarge(url) };
      const uncopied = unopened === null ? null : await keepCopy(through, unopened);
      if (uncopied !== null) return { written: null, reason: uncopied };
      const outcome = await replaceVersion(through, address, { ...replaces, isKnown }, body);
      if (outcome === 'changed') {
        return {
          written: null,
          reason: `somebody outside of this service has changed ${url}: one service alone may write there`,
        };
      }
      if (outcome !== 'written') {
        return { written: null, reason: `${url} could not be written: ${outcome.refused}` };
      }
      const digest = bodyDigest(body);
      last = { digest, content };
      return { written: { version: content.version, digest } };
    },
    dispose() {
      seal.dispose();
      last = null;
    },
  };
}

function tooLarge(url: string): string {
  return `${url} would be larger than ${MOST_SEALED_BYTES / 2 ** 20} MB; the warnings of the run name the Pods that take most of it: name one in data.excluded_pods, and forget it with the mode \`forget\``;
}

function parseContent(opened: string): Content | null {
  const end = opened.indexOf('\n');
  const version = opened.slice(0, end);
  if (!/^\d{1,15}$/.test(version)) return null;
  const text = opened.slice(end + 1);
  const memory = readMemory(text);
  return memory === null ? null : { version: Number(version), text, memory };
}
