import { Agent, request } from 'undici';
import { mapConcurrently } from '../../src/base/concurrency.js';
import { createDpopKey, createDpopProof } from '../../src/solid/login/dpop-proof.js';
import { logIn } from '../../src/solid/login/login.js';
import { createTransport } from '../../src/solid/requests/transport.js';
import type { World } from './pod-world.js';

const key = createDpopKey();

/**
 * What an analysis is held against: the same files, fetched with a login and nothing else, so many at once. Returns
 * milliseconds.
 */
export async function runPlainLoop(
  { baseUrl, credentials, contributors }: World,
  atOnce: number,
): Promise<number> {
  const { send } = createTransport({});
  const login = { serverUrl: baseUrl, credentials, key, send, now: Date.now };
  const { value } = await logIn(login, AbortSignal.timeout(30_000));
  const urls = contributors.flatMap(({ readings }) => readings);
  const agent = new Agent({ connections: atOnce });
  const start = performance.now();
  await mapConcurrently(urls, atOnce, async (url) => {
    const issuedAt = Math.floor(Date.now() / 1000);
    const dpop = createDpopProof(key, { method: 'GET', url, issuedAt, accessToken: value });
    const headers = { accept: 'text/turtle', authorization: `DPoP ${value}`, dpop };
    const { statusCode, body } = await request(url, { dispatcher: agent, headers });
    await body.arrayBuffer();
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
  });
  const ms = performance.now() - start;
  await agent.close();
  return ms;
}
