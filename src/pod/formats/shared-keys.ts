import { hash } from 'node:crypto';
import { isAbsent, requireSuccess } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { type Triple, visitTurtle } from '../../solid/turtle.js';
import { link, text, vocabulary as v } from './vocabulary.js';

export function shareId(resourceUrl: string, recipientWebId: string): string {
  return hash('sha256', `${resourceUrl}${recipientWebId}`);
}

export function shareSubject(id: string): string {
  return `${v.resourceId}${id}`;
}

/** The sealed values of one share, as shared/shared-keys.ttl holds them. */
export interface SealedValues {
  path: string;
  accessList: string;
  key: string;
}

export function shareStatements(id: string, sealed: SealedValues): Triple[] {
  const subject = shareSubject(id);
  return [
    text(subject, v.sharedPath, sealed.path),
    text(subject, v.sharedAccess, sealed.accessList),
    text(subject, v.sharedKey, sealed.key),
  ];
}

export function inboxHeading(url: string): Triple[] {
  return [
    link(`${url}#me`, v.type, v.personalProfileDocument),
    text(`${url}#me`, v.title, 'Shared Encryption Keys'),
  ];
}

export interface InboxLimits {
  maxBytes: number;
  mostStatements: number;
}

/** Generous, so that nobody can push out others by filling the inbox. */
const LARGEST: InboxLimits = { maxBytes: 128 * 1024 * 1024, mostStatements: 1_000_000 };

/** Null when nobody has ever shared anything with the Pod. */
export async function fetchSharedKeys(
  client: SolidClient,
  url: string,
  { maxBytes } = LARGEST,
): Promise<Buffer | null> {
  const answer = await client.request(url, { maxBytes });
  return isAbsent(answer) ? null : requireSuccess(answer, 'read').body;
}

/** Everything about the subjects, as a replacement has to remove all of it; null without an inbox. */
export async function readShareStatements(
  client: SolidClient,
  url: string,
  subjects: readonly string[],
  limits = LARGEST,
): Promise<Triple[] | null> {
  const body = await fetchSharedKeys(client, url, limits);
  if (body === null) return null;
  const wanted = new Set(subjects);
  const statements: Triple[] = [];
  const collect = (triple: Triple) => {
    if (wanted.has(triple.subject)) statements.push(triple);
  };
  await visitTurtle(body, url, collect, { ...limits, signal: client.signal });
  return statements;
}

/** One entry of the inbox. It should have one value of each kind; anybody may add more. */
export interface SealedEntry {
  id: string;
  sealedPaths: string[];
  sealedKeys: string[];
  sealedAccessLists: string[];
}

export interface SealedEntries {
  entries: SealedEntry[];
  /** Subjects without values that could be sealed values, no more than MOST_USELESS. */
  useless: string[];
}

const fields: ReadonlyMap<string, keyof Omit<SealedEntry, 'id'>> = new Map([
  [v.sharedPath, 'sealedPaths'],
  [v.sharedKey, 'sealedKeys'],
  [v.sharedAccess, 'sealedAccessLists'],
]);

/** A value sealed with a key of 1024 to 48,000 bits, in base64. */
const SHORTEST_VALUE = 160;
const LONGEST_VALUE = 8192;
const MOST_USELESS = 1000;

/** Throws for an inbox that is no Turtle: whoever can spoil it can empty it as well. */
export async function parseSealedEntries(
  body: Buffer,
  url: string,
  signal?: AbortSignal,
): Promise<SealedEntries> {
  const entries = new Map<string, SealedEntry>();
  const useless = new Set<string>();
  const collect = ({ subject, predicate, object }: Triple) => {
    const field = fields.get(predicate);
    if (field === undefined) return;
    const id = subject.slice(0, 200 + v.resourceId.length).replace(v.resourceId, '');
    if (!('literal' in object) || !isSealedValue(object.literal)) {
      if (useless.size < MOST_USELESS) useless.add(copyOf(id));
      return;
    }
    const entry = entries.get(id) ?? newEntry(copyOf(id));
    const value = copyOf(object.literal);
    // The first push to an array reserves room for many more, which most entries do not need.
    if (entry[field].length === 0) entry[field] = [value];
    else entry[field].push(value);
    entries.set(entry.id, entry);
  };
  await visitTurtle(body, url, collect, { ...LARGEST, signal });
  return { entries: [...entries.values()], useless: [...useless].filter((id) => !entries.has(id)) };
}

function newEntry(id: string): SealedEntry {
  return { id, sealedPaths: [], sealedKeys: [], sealedAccessLists: [] };
}

/** The parser gives parts of the text, and each of them would keep the whole text in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function isSealedValue(literal: string): boolean {
  return literal.length >= SHORTEST_VALUE && literal.length <= LONGEST_VALUE;
}
