import { useEffect, useState } from 'preact/hooks';
import { type Answer, fetchJson } from './fetch-json.js';
import type { Guard } from './shape.js';

interface Held<T> {
  path: string;
  answer: Answer<T>;
}

/**
 * The answer at a path, null while there is none. A failure is tried again whenever `tick` changes;
 * a new `version` fetches anew, and what was there stays until the new answer has come. Null asks nothing.
 */
export function useAnswer<T>(
  path: string | null,
  guard: Guard<T>,
  tick: number,
  version = '',
): Answer<T> | null {
  const [held, setHeld] = useState<Held<T> | null>(null);
  const current = held?.path === path ? held.answer : null;
  const retry = current?.ok === false ? tick : 0;
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    void fetchJson(path, guard, stop.signal).then((answer) => {
      if (!stop.signal.aborted) setHeld({ path, answer });
    });
    return () => stop.abort();
  }, [path, guard, retry, version]);
  return current;
}
