import { readLargeTurtle, readTurtle } from './read-turtle.js';
import { requireSuccess } from './require-success.js';
import type { SolidClient } from './solid-client.js';
import type { TurtleDocument } from './turtle-document.js';

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  maxBytes?: number;
}

const LARGE_BYTES = 65_536;

/** undefined when there is no such document; any other refusal rejects. */
export async function getTurtle(
  client: SolidClient,
  url: string,
  options: ReadOptions = {},
): Promise<TurtleDocument | undefined> {
  const answer = await client.request(url, { headers: { accept: 'text/turtle' }, ...options });
  if (answer.status === 404 || answer.status === 410) return undefined;
  const { body } = requireSuccess(answer, 'read');
  return body.length > LARGE_BYTES
    ? readLargeTurtle(body, answer.url, options.signal)
    : readTurtle(body, answer.url);
}
