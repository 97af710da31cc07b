import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Memory } from '../../../src/memory/memory.js';
import { readMemory } from '../../../src/memory/memory-format.js';
import { createDocumentSeal, deriveDocumentKey } from '../../../src/pod/crypto/document-key.js';
import type { World } from '../world.js';

export interface StoredMemory {
  memory: Memory;
  version: number;
  /** Of the document, as the note of this machine has it. */
  digest: string;
}

/** Null if there is none; throws if it does not open. */
export function openMemory({ server, analyser, memoryUrl }: World): StoredMemory | null {
  const body = server.textOf(memoryUrl);
  if (body === null) return null;
  const key = deriveDocumentKey(analyser.pod.privateKey, memoryUrl.slice(analyser.root.length));
  const text = createDocumentSeal(key).open(body, memoryUrl)?.toString() ?? '';
  const end = text.indexOf('\n');
  const memory = readMemory(text.slice(end + 1));
  if (memory === null) throw new Error('The memory does not open.');
  const digest = createHash('sha256').update(body).digest('base64');
  return { memory, version: Number(text.slice(0, end)), digest };
}

const noteSchema = z.object({ version: z.number(), digest: z.string() });

/** The newest memory that this machine has seen. */
export function readNote({ folder }: World): z.infer<typeof noteSchema> {
  const path = join(folder, 'state', 'memory.json');
  if (!existsSync(path)) return { version: 0, digest: '' };
  return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}
