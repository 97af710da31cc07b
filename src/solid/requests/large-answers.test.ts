import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createSolidClient } from '../http-solid-client.js';

describe('many large answers at once', () => {
  const LENGTH = 16_000_000;
  const content = randomBytes(LENGTH);

  test.each([
    ['of known length', { 'content-length': String(LENGTH) }, content],
    ['of unknown length', {}, content],
    ['that are compressed', { 'content-encoding': 'gzip' }, gzipSync(content)],
  ])('%s wait until there is room, and small ones do not', async (_name, headers, body) => {
    /** Answers that were received but for their last byte. */
    const nearlyDone: ServerResponse[] = [];
    const large = createServer((request, response) => {
      if (request.url === '/small') {
        response.end('small');
        return;
      }
      response.writeHead(200, headers);
      response.write(body.subarray(0, -1), () => nearlyDone.push(response));
    });
    await new Promise<void>((resolve) => large.listen(0, '127.0.0.1', resolve));
    const address = large.address();
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    try {
      const client = createSolidClient({ serverUrl: origin, credentials: null });
      const all = Array.from({ length: 7 }, async () => {
        const answer = await client.request(`${origin}/large`);
        expect(answer.body.equals(content)).toBe(true);
      });
      await expect.poll(() => nearlyDone.length, { timeout: 20_000 }).toBe(3);
      expect((await client.request(`${origin}/small`)).body.toString()).toBe('small');
      expect(nearlyDone).toHaveLength(3);
      for (let done = 0; done < 7; done += 1) {
        await expect.poll(() => nearlyDone.length, { timeout: 20_000 }).toBeGreaterThan(done);
        nearlyDone[done]?.end(body.subarray(-1));
      }
      await Promise.all(all);
      await client.close();
    } finally {
      large.closeAllConnections();
      large.close();
    }
  });
});
