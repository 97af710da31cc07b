import { getOrAdd } from '../../base/lists.js';
import type { Triple, TurtleDocument } from '../../solid/turtle.js';
import { canonicalResource } from '../addresses.js';
import { decryptContent, encryptContent, readResourceKey } from '../crypto/content-cipher.js';
import { text, vocabulary as v, writeTurtle } from './vocabulary.js';

/** Of a Pod: its root, to which the app writes paths relative, and the key that its keys are encrypted with. */
interface KeyHolder {
  root: string;
  masterKey: Uint8Array;
}

export function buildEmptyIndKeys(url: string): string {
  return writeTurtle([text(url, v.title, 'Individual Encryption Keys')]);
}

export function buildIndKeyEntry(
  resource: string,
  key: Buffer,
  { root, masterKey }: KeyHolder,
): Triple[] {
  const sealed = encryptContent(key.toString('base64'), masterKey);
  return [
    text(resource, v.path, resource.slice(root.length)),
    text(resource, v.iv, sealed.iv),
    text(resource, v.sessionKey, sealed.data),
  ];
}

export interface IndKeyEntry {
  /** About the resource in every spelling of its address. */
  statements: Triple[];
  key: Buffer | null;
  /** Why the entry cannot be used; null without an entry. */
  problem: string | null;
  /** Whether the app finds the key: the entry holds what `buildIndKeyEntry` writes, and no second value of anything. */
  isExact: boolean;
}

/** One version of encryption/ind-keys.ttl, which holds the keys of the Pod's resources. */
export class IndKeys {
  /** By the canonical address of the resource. */
  readonly #subjects = new Map<string, string[]>();

  constructor(private readonly document: TurtleDocument | null) {
    for (const subject of document?.subjects() ?? []) {
      const resource = canonicalResource(subject);
      if (resource === null) continue;
      getOrAdd(this.#subjects, resource, () => []).push(subject);
    }
  }

  get resources(): Iterable<string> {
    return this.#subjects.keys();
  }

  /** Of a resource that stands there in several spellings, all have to hold the same key. */
  entryOf(resource: string, holder: KeyHolder): IndKeyEntry {
    const subjects = this.#subjects.get(canonicalResource(resource) ?? resource) ?? [];
    const entries = subjects.map((subject) =>
      entryIn(this.document?.about(subject) ?? [], resource, holder),
    );
    const statements = entries.flatMap((entry) => entry.statements);
    const given = entries.filter(({ key, problem }) => key !== null || problem !== null);
    const [first] = given;
    if (first === undefined) return { statements, key: null, problem: null, isExact: false };
    if (given.every(({ key }) => key !== null && first.key?.equals(key) === true)) {
      return { ...first, statements, isExact: first.isExact && subjects.length === 1 };
    }
    const problem =
      given.find((entry) => entry.problem !== null)?.problem ??
      `its entries for ${resource} hold different keys`;
    return { statements, key: null, problem, isExact: false };
  }
}

function entryIn(
  statements: Triple[],
  resource: string,
  { root, masterKey }: KeyHolder,
): IndKeyEntry {
  const valuesOf = (wanted: string) =>
    statements.flatMap(({ predicate, object }) => (predicate === wanted ? [object] : []));
  const onlyValue = (wanted: string) => {
    const [first, ...more] = valuesOf(wanted);
    return first !== undefined && 'literal' in first && more.length === 0 ? first.literal : null;
  };
  if (valuesOf(v.iv).length + valuesOf(v.sessionKey).length === 0) {
    return { statements, key: null, problem: null, isExact: false };
  }
  const iv = onlyValue(v.iv);
  const data = onlyValue(v.sessionKey);
  if (iv === null || data === null) {
    const problem = `its entry for ${resource} does not hold exactly one key`;
    return { statements, key: null, problem, isExact: false };
  }
  const key = readResourceKey(decryptContent({ iv, data }, masterKey));
  const problem = key === null ? `the key of ${resource} does not open` : null;
  const isExact = key !== null && onlyValue(v.path) === resource.slice(root.length);
  return { statements, key, problem, isExact };
}
