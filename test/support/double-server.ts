import type { ServerError } from '../../src/base/errors.js';
import type { OriginSet } from '../../src/base/origin-set.js';
import { PodAsker } from '../../src/run/read/ask-pod.js';
import { type AskingTime, Deadline } from '../../src/run/read/deadline.js';
import type { readServer, ServerTools } from '../../src/run/read/read-server.js';
import type { AskingFiles, FileToRead, ReadTask } from '../../src/run/read/read-task.js';
import type { FileOutcome } from '../../src/run/table/row.js';
import type { SolidRequest } from '../../src/solid/solid-client.js';
import { readTask } from './readings-of.js';
import { analyser } from './scripted-reading.js';
import { readWith } from './table.js';

/** Of a page: its status, the names in a folder, or why there is no answer. */
type Page = number | readonly string[] | ServerError;

interface Replies {
  /** For what is no file: folders, profiles, documents of the Analyser. `nth`: how often it was asked for before. */
  page?: (url: string, nth: number, how: SolidRequest) => Page | Promise<Page>;
  file?: (file: FileToRead, nth: number, asking: AskingFiles) => FileOutcome | Promise<FileOutcome>;
  filesPerPart?: (files: number) => number;
  /** Those of the Analyser's own server. */
  ownOrigins?: OriginSet | undefined;
}

/** One request for some files. */
interface Part {
  files: readonly FileToRead[];
  asking: AskingFiles;
}

/**
 * What servers are read with, without servers: pages and files are what the test says, at once, and files are not opened.
 * Where it says nothing they are given.
 */
export function doubleServer(
  {
    page = () => 200,
    file = () => readWith(null),
    filesPerPart = () => 1,
    ownOrigins,
  }: Replies = {},
  changes: Partial<ReadTask> = {},
) {
  const asked: string[] = [];
  const parts: Part[] = [];
  const nthOf = (url: string) => asked.push(url) && asked.filter((one) => one === url).length - 1;
  const request = async (url: string, how: SolidRequest = {}) => {
    const given = await page(url, nthOf(url), how);
    if (given instanceof Error) throw given;
    const isStatus = typeof given === 'number';
    const body = isStatus ? '' : listing(given);
    const answer = { url, headers: {}, body: Buffer.from(body) };
    return { ...answer, status: isStatus ? given : 200 };
  };
  const client = { request, close: () => Promise.resolve(), ...(ownOrigins && { ownOrigins }) };
  const tools: ServerTools = {
    connection: { client, pod: analyser },
    task: readTask(changes),
    asker: new PodAsker(),
    reader: {
      filesPerPart,
      readPart: async (files, asking) => {
        parts.push({ files, asking });
        return await Promise.all(files.map(async (one) => await file(one, nthOf(one.url), asking)));
      },
    },
    kept: new Map(),
    progress: { read: 0, all: 0 },
  };
  return { tools, asked, parts };
}

function listing(names: readonly string[]): string {
  return names.map((name) => `<> <http://www.w3.org/ns/ldp#contains> <${name}>.`).join('\n');
}

/** The time of a server, which ends when the test ends it. */
export function askingTimes(stop = new AbortController().signal): AskingTime {
  const never = () => new Deadline(Number.POSITIVE_INFINITY, stop);
  return { reading: never(), confirming: never(), stop };
}

type HowToRead = Parameters<typeof readServer>[2];

/** How another server than the Analyser's own is read, if nothing else is said. */
export function howToRead(changes: Partial<HowToRead> = {}): HowToRead {
  return { time: askingTimes(), atOnce: 16, analyserDocument: null, ...changes };
}
