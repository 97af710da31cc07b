/** What an analysis is held against: the same files, fetched with a login and nothing else. */
import { Agent, request } from 'undici';
import { z } from 'zod';
import { mapConcurrently } from '../../src/base/concurrency.js';
import { createDpopKey, createDpopProof } from '../../src/solid/login/dpop-proof.js';
import { type AccessToken, logIn } from '../../src/solid/login/login.js';
import { createTransport } from '../../src/solid/requests/transport.js';
import { answerParent } from './child.js';

const settings = z.object({
  baseUrl: z.string(),
  credentials: z.object({ clientId: z.string(), clientSecret: z.string() }),
});
const task = z.object({ urls: z.array(z.string()), atOnce: z.number() });

const key = createDpopKey();
let logInAgain = (): Promise<AccessToken> => Promise.reject(new Error('not started'));

answerParent({
  start(question) {
    const { baseUrl, credentials } = settings.parse(question);
    const { send } = createTransport({});
    const context = { serverUrl: baseUrl, credentials, key, send, now: Date.now };
    logInAgain = () => logIn(context, AbortSignal.timeout(30_000));
    return Promise.resolve({});
  },
  async run(question) {
    const { urls, atOnce } = task.parse(question);
    const { value } = await logInAgain();
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
    return { ms };
  },
});
