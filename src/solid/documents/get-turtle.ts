import { isAbsent, requireSuccess } from '../require-success.js';
import type { SolidClient } from '../solid-client.js';
import { readTurtle } from './read-turtle.js';
import type { TurtleDocument } from './turtle-document.js';

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  maxBytes?: number;
  /** The most tries when there is no answer. */
  tries?: number | undefined;
  /**
   * Asks for the document as it is stored. This is for documents of strangers: the Community Solid
   * Server hangs when it has to turn broken JSON-LD into Turtle. With this option, a document that
   * is not stored as Turtle is malformed.
   */
  asStored?: boolean;
  /** Called with the headers of the answer, which tell who may write to the document. */
  onHeaders?: (headers: Readonly<Record<string, string>>) => void;
}

/** Undefined when there is no such document; rejects for any other refusal. */
export async function getTurtle(
  client: SolidClient,
  url: string,
  options: ReadOptions = {},
): Promise<TurtleDocument | undefined> {
  const { asStored = false, onHeaders, ...limits } = options;
  const headers = { accept: asStored ? '*/*' : 'text/turtle' };
  const answer = await client.request(url, { headers, ...limits });
  if (isAbsent(answer)) return undefined;
  const { body } = requireSuccess(answer, 'read');
  onHeaders?.(answer.headers);
  return readTurtle(body, answer.url);
}
