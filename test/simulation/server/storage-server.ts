import { ServerError } from '../../../src/base/errors.js';
import type { Exchange, Transport } from '../../../src/solid/requests/transport.js';
import { serverSpelling, withoutQuery } from '../../../src/solid/server-spelling.js';
import type { SolidAnswer } from '../../../src/solid/solid-client.js';
import type { Triple } from '../../../src/solid/turtle.js';
import {
  AccessRules,
  EVERYBODY,
  foldersAround,
  isAcl,
  type Mode,
  parentOf,
  writeRules,
} from './access.js';
import { statementsIn } from './statements.js';
import { applyUpdate, parseUpdate, writeTriples } from './updates.js';

const CONTAINS = 'http://www.w3.org/ns/ldp#contains';
const STORAGE = 'http://www.w3.org/ns/solid/terms#storageDescription';
/** Of a name on a file system. */
const LONGEST_NAME = 255;

interface Stored {
  body: Buffer;
  type: string;
  etag: string;
}

/** Sees each request before and after the server, and may do something else instead. */
export type Interceptor = (
  exchange: Exchange,
  serve: () => SolidAnswer,
) => SolidAnswer | Promise<SolidAnswer>;

/**
 * Storage servers without HTTP: documents, folders, Web Access Control, ETags and SPARQL updates as the Community Solid
 * Server has them, as far as this service and its app ask for them. The contract tests hold it to that.
 */
export class StorageServer {
  readonly #documents = new Map<string, Stored>();
  readonly #roots = new Set<string>();
  /** They stay when nothing is left in them. */
  readonly #folders = new Set<string>();
  readonly #rules: AccessRules;

  constructor(
    readonly baseUrl: string,
    /** For how many bytes each Pod has room. */
    readonly room = Number.POSITIVE_INFINITY,
  ) {
    this.#rules = new AccessRules((url) => this.#documents.get(url)?.body ?? null);
  }

  /** `baseUrl`: of a server of its own. */
  createPod(name: string, baseUrl = this.baseUrl): { webId: string; root: string } {
    const root = `${baseUrl}${name}/`;
    const card = `${root}profile/card`;
    const webId = `${card}#me`;
    this.#roots.add(root);
    this.put(`${root}.acl`, writeRules(root, webId, { isInherited: true }));
    this.put(card, `<${webId}> a <http://xmlns.com/foaf/0.1/Person>.\n`);
    this.put(`${card}.acl`, writeRules(card, webId, { readers: EVERYBODY }));
    return { webId, root };
  }

  /** Without a question about access. */
  put(url: string, body: Buffer | string, type = 'text/turtle'): void {
    // The time of the file, as the Community Solid Server has it: versions of one moment have one ETag.
    const etag = `"${Date.now()}-${type}"`;
    this.#documents.set(url, { body: Buffer.from(body), type, etag });
    for (const folder of foldersAround(url)) this.#folders.add(folder);
  }

  textOf(url: string): string | null {
    return this.#documents.get(serverSpelling(url))?.body.toString() ?? null;
  }

  triplesOf(url: string): Triple[] {
    const text = this.textOf(url);
    return text === null ? [] : statementsIn(text, url);
  }

  below(folder: string): string[] {
    return [...this.#documents.keys()].filter((url) => url.startsWith(folder));
  }

  /** What the agent may do with a resource; null stands for everybody. */
  modesOf(url: string, agent: string | null): ReadonlySet<Mode> {
    return this.#rules.modesOf(url, agent);
  }

  transportFor(agent: string | null, intercept: Interceptor = (_, serve) => serve()): Transport {
    return {
      send: async (exchange) => {
        const { signal, maxBytes, url } = exchange;
        signal?.throwIfAborted();
        await Promise.resolve();
        const answer = await intercept(exchange, () => this.#answer(agent, exchange));
        signal?.throwIfAborted();
        if (answer.body.length <= maxBytes) return answer;
        throw new ServerError('too-large', `${url} is too large.`, { url });
      },
      close: () => Promise.resolve(),
    };
  }

  #answer(agent: string | null, exchange: Exchange): SolidAnswer {
    const { method, url: asked } = exchange;
    const url = serverSpelling(withoutQuery(asked));
    const reply: Reply = (status, body = '', headers = {}) => ({
      status,
      url: asked,
      body: method === 'HEAD' ? Buffer.alloc(0) : Buffer.from(body),
      headers: { ...this.#headersOf(url, agent), ...headers },
    });
    const names = url.split('/').map((name) => Buffer.byteLength(decodeURIComponent(name)));
    const longest = Math.max(...names);
    const isWrite = method === 'PUT' || method === 'PATCH';
    if (isWrite && longest > LONGEST_NAME) return reply(500);
    // Of a document whose list of rules has too long a name, nobody may do anything.
    const mayBe = longest + '.acl'.length <= LONGEST_NAME;
    if (!mayBe || !this.#isAllowed(url, agent, exchange)) return reply(agent === null ? 401 : 403);
    const stored = this.#documents.get(url);
    if (isWrite && !fits(exchange.headers, stored)) return reply(412);
    switch (method) {
      case 'GET':
      case 'HEAD':
        return url.endsWith('/') ? this.#list(url, reply) : read(stored, reply);
      case 'PUT': {
        const body = Buffer.from(exchange.body ?? '');
        if (!this.#hasRoom(url, body)) return reply(413);
        this.put(url, body, exchange.headers['content-type']);
        return reply(stored === undefined ? 201 : 205);
      }
      case 'PATCH':
        return this.#patch(url, Buffer.from(exchange.body ?? '').toString(), reply);
      case 'DELETE':
        return this.#delete(url, reply);
      default:
        return reply(405);
    }
  }

  #isAllowed(url: string, agent: string | null, { method, body }: Exchange): boolean {
    const may = this.modesOf(url, agent);
    if (isAcl(url)) return may.has('control');
    const mayCreate = () =>
      this.#documents.has(url) || this.modesOf(parentOf(url), agent).has('append');
    switch (method) {
      case 'PUT':
        return may.has('write') && mayCreate();
      case 'PATCH': {
        const isAddition = !Buffer.from(body ?? '').includes('DELETE');
        const isChange = may.has('write') && may.has('read');
        return (isAddition ? may.has('append') : isChange) && mayCreate();
      }
      case 'DELETE':
        return may.has('write') && this.modesOf(parentOf(url), agent).has('write');
      default:
        return may.has('read');
    }
  }

  #list(folder: string, reply: Reply): SolidAnswer {
    if (!this.#folders.has(folder)) return reply(404);
    const lines = this.#membersOf(folder).map(
      (member) => `<> <${CONTAINS}> <${member.slice(folder.length)}>.\n`,
    );
    return reply(200, lines.join(''), { 'content-type': 'text/turtle' });
  }

  #patch(url: string, text: string, reply: Reply): SolidAnswer {
    const stored = this.#documents.get(url);
    const steps = parseUpdate(text);
    if (steps === null) return reply(400);
    const before = attempt(() => (stored === undefined ? [] : statementsIn(stored.body, url)));
    if (before === null) return reply(400);
    const after = attempt(() => applyUpdate(before, steps, url));
    if (after === null) return reply(400);
    const body = Buffer.from(writeTriples(after, url));
    if (!this.#hasRoom(url, body)) return reply(413);
    this.put(url, body);
    return reply(stored === undefined ? 201 : 205);
  }

  #hasRoom(url: string, body: Buffer): boolean {
    if (this.room === Number.POSITIVE_INFINITY) return true;
    const root = this.#rootOf(url) ?? this.baseUrl;
    const others = this.below(root).filter((other) => other !== url);
    const sizes = others.map((other) => this.#documents.get(other)?.body.length ?? 0);
    return sizes.reduce((all, size) => all + size, body.length) <= this.room;
  }

  #rootOf(url: string): string | undefined {
    return [...this.#roots].find((one) => url.startsWith(one));
  }

  #delete(url: string, reply: Reply): SolidAnswer {
    if (url.endsWith('/')) {
      if (this.#membersOf(url).length > 0) return reply(409);
      return reply(this.#folders.delete(url) ? 205 : 404);
    }
    this.#documents.delete(`${url}.acl`);
    return reply(this.#documents.delete(url) ? 205 : 404);
  }

  #membersOf(folder: string): string[] {
    const members = [...this.below(folder), ...this.#folders]
      .filter((url) => !isAcl(url) && url !== folder && url.startsWith(folder))
      .map((url) => {
        const [name = '', ...inner] = url.slice(folder.length).split('/');
        return `${folder}${name}${inner.length > 0 ? '/' : ''}`;
      });
    return [...new Set(members)];
  }

  #headersOf(url: string, agent: string | null): Record<string, string> {
    const shown = (name: string, who: string | null) => {
      const modes = [...this.modesOf(url, who)].sort();
      return modes.length === 0 ? [] : [`${name}="${modes.join(' ')}"`];
    };
    const allowed = [...shown('user', agent), ...shown('public', null)];
    const root = this.#rootOf(url);
    const links = [
      `<${url}.acl>; rel="acl"`,
      ...(root === undefined ? [] : [`<${root}.well-known/solid>; rel="${STORAGE}"`]),
    ];
    return {
      link: links.join(', '),
      ...(allowed.length > 0 && { 'wac-allow': allowed.join(',') }),
    };
  }
}

type Reply = (
  status: number,
  body?: Buffer | string,
  headers?: Record<string, string>,
) => SolidAnswer;

function read(stored: Stored | undefined, reply: Reply): SolidAnswer {
  if (stored === undefined) return reply(404);
  const { body, type, etag } = stored;
  return reply(200, body, { 'content-type': type, etag });
}

/** The Community Solid Server makes a document that is not there, whatever version was wanted. */
function fits(headers: Record<string, string>, stored: Stored | undefined): boolean {
  const { 'if-match': wanted, 'if-none-match': none } = headers;
  if (stored === undefined) return true;
  return none !== '*' && (wanted === undefined || wanted === stored.etag);
}

function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
