import { readTurtle } from './read-turtle.js';
import { isAbsent, requireSuccess } from './require-success.js';
import type { SolidClient } from './solid-client.js';
import type { TurtleDocument } from './turtle-document.js';

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  maxBytes?: number;
  /** The most tries when there is no answer. */
  tries?: number | undefined;
  /** Called with the headers of the answer, which tell who may write to the document. */
  onHeaders?: (headers: Readonly<Record<string, string>>) => void;
}

/** Undefined when there is no such document; rejects for any other refusal. What is not stored as Turtle is malformed. */
export async function getTurtle(
  client: SolidClient,
  url: string,
  { onHeaders, ...limits }: ReadOptions = {},
): Promise<TurtleDocument | undefined> {
  const answer = await client.request(url, limits);
  if (isAbsent(answer)) return undefined;
  const { body } = requireSuccess(answer, 'read');
  onHeaders?.(answer.headers);
  return readTurtle(body, answer.url);
}
