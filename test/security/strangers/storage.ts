import { setImmediate } from 'node:timers/promises';
import { ServerError } from '../../../src/base/errors.js';
import { parseWebId } from '../../../src/pod/addresses.js';
import { TimeUpError } from '../../../src/run/read/deadline.js';
import type { SolidAnswer, SolidClient, SolidRequest } from '../../../src/solid/solid-client.js';

/** Who may do what with a file or a folder, as the Analyser sees it. */
export type Access =
  | 'analyser'
  | 'everybody'
  /** Everybody may add to it. */
  | 'writable'
  /** The Analyser may write to it. */
  | 'analyser writes'
  /** Its server does not say. */
  | 'untold'
  | 'closed'
  /** No answer. */
  | 'silent'
  /** Given once in each analysis, and no answer after that. */
  | 'once'
  /** 401. */
  | 'login refused'
  /** 418, which says nothing. */
  | 'odd';

const headers: Partial<Record<Access, string>> = {
  analyser: 'user="read",public=""',
  everybody: 'user="read",public="read"',
  writable: 'user="read",public="append"',
  'analyser writes': 'user="read write",public=""',
};
const refusals: Partial<Record<Access, number>> = { closed: 403, 'login refused': 401, odd: 418 };

export interface StoredFile {
  body: Buffer;
  access: Access;
}

/** A server with files on a disk answers ENAMETOOLONG with 500. */
const LONGEST_NAME = 255;

interface Limit {
  known: ReadonlySet<string>;
  /** How many addresses that are not known are still reached. */
  reached: number;
  timeUp: AbortController;
}

/** Storage servers without HTTP: files and folders with access, and what was asked of them. */
export class Storage implements SolidClient {
  readonly files = new Map<string, StoredFile>();
  /** Those that are not here cannot be listed. */
  readonly folders = new Map<string, Access>();
  /** The addresses that were asked for since the last look. */
  asked: string[] = [];

  #limit: Limit | null = null;

  constructor(private readonly analyserRoot: string) {}

  put(url: string, body: Buffer | string, access: Access): void {
    this.files.set(url, { body: Buffer.from(body), access });
  }

  /**
   * Of the addresses that are not known, only so many are reached; null for no limit. Then time is over, when all others
   * have an answer.
   */
  limitTo(known: ReadonlySet<string>, reached: number | null): AbortSignal {
    const timeUp = new AbortController();
    this.#limit = reached === null ? null : { known, reached, timeUp };
    return timeUp.signal;
  }

  async request(url: string, { signal }: SolidRequest = {}): Promise<SolidAnswer> {
    await Promise.resolve();
    signal?.throwIfAborted();
    const isFirst = !this.asked.includes(url);
    this.asked.push(url);
    const limit = this.#limit;
    if (limit !== null && isFirst && url.includes('/data/') && !limit.known.has(url)) {
      if (limit.reached === 0) await this.#hang(limit);
      limit.reached -= 1;
    }
    return this.#answer(url);
  }

  /** Until nothing else is asked for any more. */
  async #hang({ timeUp }: Limit): Promise<void> {
    let asked = -1;
    for (let turns = 0; turns < 10 && !timeUp.signal.aborted; turns += 1) {
      if (asked !== this.asked.length) turns = 0;
      asked = this.asked.length;
      await setImmediate();
    }
    this.#limit = null;
    timeUp.abort(new TimeUpError());
    timeUp.signal.throwIfAborted();
  }

  #answer(url: string): SolidAnswer {
    // Without a profile, no refusal is certain, and no share ends.
    if (url.startsWith(this.analyserRoot) || parseWebId(url) !== null) {
      return answer(url, 200);
    }
    const names = url.split('/').map((segment) => Buffer.byteLength(decodeURIComponent(segment)));
    if (Math.max(...names) > LONGEST_NAME) throw silence(url);
    return url.endsWith('/') ? this.#list(url) : this.#read(url);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #list(url: string): SolidAnswer {
    const access = this.folders.get(url) ?? 'closed';
    const members = [...this.files.keys()].filter(
      (file) => file.startsWith(url) && !file.slice(url.length).includes('/'),
    );
    const lines = members.map((file) => `<${url}> <http://www.w3.org/ns/ldp#contains> <${file}> .`);
    return answerBy(access, url, Buffer.from(lines.join('\n')));
  }

  #read(url: string): SolidAnswer {
    const file = this.files.get(url);
    if (file === undefined) return answer(url, 404);
    if (file.access !== 'once') return answerBy(file.access, url, file.body);
    const times = this.asked.filter((address) => address === url).length;
    return answerBy(times > 1 ? 'silent' : 'analyser', url, file.body);
  }
}

function answerBy(access: Access, url: string, body: Buffer): SolidAnswer {
  if (access === 'silent') throw silence(url);
  const status = refusals[access];
  if (status !== undefined) return answer(url, status);
  return answer(url, 200, body, headers[access]);
}

function answer(url: string, status: number, body?: Buffer, allowed?: string): SolidAnswer {
  return {
    url,
    status,
    body: body ?? Buffer.alloc(0),
    headers: { ...(allowed !== undefined && { 'wac-allow': allowed }) },
  };
}

function silence(url: string): ServerError {
  return new ServerError('unavailable', `${url} answered HTTP 500`, { url, status: 500 });
}
