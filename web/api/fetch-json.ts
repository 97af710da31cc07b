import type { Problem } from './problem.js';
import { type Guard, isString, shape } from './shape.js';

export type Answer<T> = { ok: true; value: T } | { ok: false; problem: Problem };

const patienceMs = 15_000;
const isFailure = shape<{ detail: string }>({ detail: isString });

/** Never rejects. The browser revalidates by ETag on its own (`no-cache`). */
export async function fetchJson<T>(
  path: string,
  guard: Guard<T>,
  signal: AbortSignal,
): Promise<Answer<T>> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(path, {
      headers: { accept: 'application/json' },
      cache: 'no-cache',
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    });
    body = parseJson(await response.text());
  } catch {
    return { ok: false, problem: { kind: 'unreachable' } };
  }
  if (!response.ok) {
    const { status } = response;
    const problem: Problem = isFailure(body)
      ? { kind: 'refused', status, detail: body.detail }
      : { kind: 'in-between', status };
    return { ok: false, problem };
  }
  return guard(body) ? { ok: true, value: body } : { ok: false, problem: { kind: 'unexpected' } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
