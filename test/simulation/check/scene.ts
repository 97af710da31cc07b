import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type ResultsDocument,
  resultsDocumentSchema,
} from '../../../src/documents/results-document.js';
import { openValue } from '../../../src/pod/crypto/rsa.js';
import { shareId, shareSubject } from '../../../src/pod/formats/shared-keys.js';
import { vocabulary as v } from '../../../src/pod/formats/vocabulary.js';
import type { Happened } from '../analysis.js';
import type { Person } from '../people/person.js';
import type { World } from '../world.js';
import { keyOf, openDocument } from './open-document.js';
import { openMemory, type StoredMemory } from './open-memory.js';
import type { Past } from './past.js';

export interface Published {
  url: string;
  kind: 'pod-average' | 'cohort-average';
  generatedAt: string;
  key: Buffer;
  text: string;
}

const headSchema = z.object({
  kind: z.enum(['pod-average', 'cohort-average']),
  generated_at: z.string(),
});

/** The world after an analysis, as somebody sees it who has all keys. */
export class Scene {
  readonly problems: string[] = [];
  readonly memory: StoredMemory | null;
  readonly published: readonly Published[];
  /** The runs of this analysis. */
  readonly runs: readonly ResultsDocument[];
  /** All that this var/ holds. */
  readonly runIds: ReadonlySet<string>;

  constructor(
    readonly world: World,
    readonly past: Past,
    readonly happened: Happened,
  ) {
    this.memory = openMemory(world);
    this.published = this.#openPublished();
    const runs = this.filesIn('results')
      .filter((name) => name.startsWith('run-'))
      .map((name) => resultsDocumentSchema.parse(this.jsonIn('results', name)));
    this.runs = runs.filter(({ run_id }) => !past.runIds.has(run_id));
    this.runIds = new Set(runs.map(({ run_id }) => run_id));
  }

  expect(isRight: boolean, problem: string): void {
    if (!isRight) this.problems.push(problem);
  }

  /** Whether nothing but the server and the disk met anything. */
  get isQuiet(): boolean {
    return !this.happened.isCrashed && !this.happened.isTroubled;
  }

  /** Whether it went past the last checkpoint, to its end. */
  get isCommitted(): boolean {
    return this.happened.outcome !== null;
  }

  /** Of this analysis, the WebIDs of everybody who may be sent something. */
  get recipients(): ReadonlySet<string> {
    const { people } = this.world;
    const going = this.happened.calls.filter(({ isCancelled }) => !isCancelled);
    const webIds = going.flatMap(({ webId }) => webId ?? people.map((person) => person.webId));
    return new Set(webIds);
  }

  personAt(root: string): Person | undefined {
    return this.world.people.find((person) => person.root === root);
  }

  ownerOf(url: string): Person | undefined {
    return this.world.everybody.find(({ podId }) => url.includes(`/${podId}/`));
  }

  /** How often the server said that there is nothing, or nothing for the Analyser. */
  refusals(url: string): number {
    const isRefused = (status: number | null) => [403, 404, 410].includes(status ?? 0);
    return this.happened.requests.filter((one) => one.url === url && isRefused(one.status)).length;
  }

  /** A value that was sealed for a person; null if it was sealed for somebody else. */
  open({ pod }: Person, sealed: string): string | null {
    const { opened } = this.past;
    const text = opened.get(sealed) ?? openValue(sealed, pod.privateKey)?.toString() ?? null;
    if (text !== null) opened.set(sealed, text);
    return text;
  }

  /** Everything that stands in an inbox and was sealed for its owner. */
  openedIn(person: Person): string[] {
    return this.world.server.triplesOf(person.pod.documents.sharedKeys).flatMap(({ object }) => {
      const text = 'literal' in object ? this.open(person, object.literal) : null;
      return text === null ? [] : [text];
    });
  }

  /** Whether a person was handed the key of a document. */
  hasKey(person: Person, url: string): boolean {
    const subject = shareSubject(shareId(url, person.webId));
    const key = keyOf(this.world, url).toString('base64');
    return this.world.server
      .triplesOf(person.pod.documents.sharedKeys)
      .filter((triple) => triple.subject === subject && triple.predicate === v.sharedKey)
      .some(({ object }) => 'literal' in object && this.open(person, object.literal) === key);
  }

  mayRead({ webId }: Person, url: string): boolean {
    return this.world.server.modesOf(url, webId).has('read');
  }

  filesIn(folder: 'state' | 'results' | 'charts'): string[] {
    return filesIn(this.world, folder);
  }

  textIn(folder: 'state' | 'results' | 'charts', name: string): string {
    return readFileSync(join(this.world.folder, folder, name), 'utf8');
  }

  jsonIn(folder: 'state' | 'results' | 'charts', name: string): unknown {
    return JSON.parse(this.textIn(folder, name));
  }

  #openPublished(): Published[] {
    const { server, results } = this.world;
    const urls = server.below(results).filter((url) => !url.endsWith('.acl'));
    return urls.flatMap((url) => {
      const key = keyOf(this.world, url);
      const text = openDocument(server.textOf(url) ?? '', url, key);
      this.expect(text !== null, `${url} does not open with its key`);
      if (text === null) return [];
      const { kind, generated_at: generatedAt } = headSchema.parse(JSON.parse(text));
      return [{ url, kind, generatedAt, key, text }];
    });
  }
}

export function filesIn({ folder }: World, below: 'state' | 'results' | 'charts'): string[] {
  const path = join(folder, below);
  return existsSync(path) ? readdirSync(path).sort() : [];
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
