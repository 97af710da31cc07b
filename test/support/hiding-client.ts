import type { SolidClient } from '../../src/solid/solid-client.js';

/**
 * A server whose documents answer 404 although they are there, until each was asked for so often. `inserted` are the
 * statements that they got, each once, as a server keeps them.
 */
export function hidingClient(
  hiddenFor: number,
  given: ReadonlyMap<string, string> = new Map(),
): SolidClient & { inserted: ReadonlyMap<string, ReadonlySet<string>> } {
  const inserted = new Map<string, Set<string>>();
  const asked = new Map<string, number>();
  const answer = (url: string, status: number, body = '') =>
    Promise.resolve({ url, status, headers: {}, body: Buffer.from(body) });
  return {
    inserted,
    close: () => Promise.resolve(),
    request(url, { method, body = '' } = {}) {
      const lines = inserted.get(url) ?? new Set();
      if (method === 'PATCH') {
        const [, data = ''] = /INSERT DATA \{\n(.*)\n\}/s.exec(Buffer.from(body).toString()) ?? [];
        inserted.set(url, new Set([...lines, ...data.split('\n')]));
        return answer(url, 205);
      }
      const text = given.get(url);
      if (text !== undefined) return answer(url, 200, text);
      const times = (asked.get(url) ?? 0) + 1;
      asked.set(url, times);
      return times > hiddenFor ? answer(url, 200, [...lines].join('\n')) : answer(url, 404);
    },
  };
}
