import { AnalyserError, messageOf, ServerError } from '../base/errors.js';
import { createDocumentSeal, type DocumentSeal } from '../pod/crypto/document-seal.js';
import { createResourceKey } from '../pod/crypto/resource-key.js';
import { ensureResourceKeys, findResourceKeys } from '../pod/resource-keys.js';
import type { UnlockedPod } from '../pod/unlock-pod.js';
import type { SolidClient } from '../solid/solid-client.js';

interface Held {
  key: Buffer;
  seal: DocumentSeal;
  /** Whether the key stands in the Pod. */
  isKept: boolean;
}

/** The memory's own key in ind-keys.ttl, fetched once. */
export class MemoryKey {
  readonly #pod: UnlockedPod;
  readonly #url: string;
  #held: Held | null = null;

  constructor(pod: UnlockedPod, url: string) {
    this.#pod = pod;
    this.#url = url;
  }

  /** Null before the first look into the Pod. */
  get seal(): DocumentSeal | null {
    return this.#held?.seal ?? null;
  }

  /** Without a key in the Pod, a new one is made, which `keep` adds. */
  async lookUp(client: SolidClient): Promise<DocumentSeal> {
    const stored = await this.#find(client);
    const held = this.#held;
    if (stored !== null) return held?.key.equals(stored) ? held.seal : this.#hold(stored, true);
    return held?.isKept === false ? held.seal : this.#hold(createResourceKey(), false);
  }

  /** `another`: a process that was first has added its own, which counts from now on. */
  async keep(client: SolidClient): Promise<'kept' | 'another' | { reason: string }> {
    const { key, isKept } = this.#held ?? { key: createResourceKey(), isKept: false };
    if (isKept) return 'kept';
    try {
      const keys = await ensureResourceKeys(client, this.#pod, [this.#url], () => key);
      const stored = keys.get(this.#url) ?? key;
      this.#hold(stored, true);
      return stored.equals(key) ? 'kept' : 'another';
    } catch (error) {
      if (isMalformed(error) || isRefusal(error)) return { reason: messageOf(error) };
      throw error;
    }
  }

  dispose(): void {
    this.#held?.key.fill(0);
    this.#held = null;
  }

  /** Null without a key, or with one that does not open. */
  async #find(client: SolidClient): Promise<Buffer | null> {
    try {
      const keys = await findResourceKeys(client, this.#pod, [this.#url]);
      return keys.get(this.#url) ?? null;
    } catch (error) {
      if (isMalformed(error)) return null;
      throw error;
    }
  }

  #hold(key: Buffer, isKept: boolean): DocumentSeal {
    const seal = createDocumentSeal(key);
    this.#held = { key, seal, isKept };
    return seal;
  }
}

function isMalformed(error: unknown): boolean {
  return error instanceof AnalyserError && error.kind === 'malformed';
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServerError && error.failure === 'refused';
}
