import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createSolidClient } from '../http-solid-client.js';

describe('many large answers at once', () => {
  const LENGTH = 12 * 1024 * 1024;

  test.each([
    ['of known length', { 'content-length': String(LENGTH) }, Buffer.alloc(LENGTH)],
    ['of unknown length', {}, Buffer.alloc(LENGTH)],
    ['that are compressed', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(LENGTH))],
  ])('%s wait until there is room, and small ones do not', async (_name, headers, body) => {
    const large = createServer((request, response) => {
      if (request.url === '/small') response.end('small');
      else response.writeHead(200, headers).end(body);
    });
    await new Promise<void>((resolve) => large.listen(0, '127.0.0.1', resolve));
    const address = large.address();
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    try {
      const client = createSolidClient({ serverUrl: origin, credentials: null });
      const held: (() => void)[] = [];
      const all = Array.from({ length: 7 }, async () => {
        const answer = await client.request(`${origin}/large`, { holdsBody: true });
        expect(answer.body.length).toBe(LENGTH);
        if (answer.release !== undefined) held.push(answer.release);
      });
      // While nobody gives anything back.
      await expect.poll(() => held.length, { timeout: 20_000 }).toBe(3);
      expect((await client.request(`${origin}/small`)).body.toString()).toBe('small');
      expect(held).toHaveLength(3);
      for (let released = 0; released < 7; released += 1) {
        await expect.poll(() => held.length, { timeout: 20_000 }).toBeGreaterThan(released);
        held[released]?.();
      }
      await Promise.all(all);
      expect(held).toHaveLength(7);
      await client.close();
    } finally {
      large.closeAllConnections();
      large.close();
    }
  });
});
