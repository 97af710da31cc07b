import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ServerError } from '../src/base/errors.js';
import {
  createSolidClient,
  type RequestEvent,
  type SolidClientOptions,
} from '../src/solid/http-solid-client.js';
import type { HttpSolidClient } from '../src/solid/solid-client.js';
import { type Fault, startProxiedServer } from './support/fault-proxy.js';
import { serveUntilEnd } from './support/listen.js';
import { createPod, sharedSolidServer } from './support/solid-server.js';

const clients: HttpSolidClient[] = [];

const site = await startProxiedServer({ tokenLifetimeSeconds: 2 });
const pod = await createPod(site);
const client = connect();
await client.request(`${pod.root}note.txt`, {
  method: 'PUT',
  headers: { 'Content-Type': 'text/plain' },
  body: 'a note of thirty-one characters',
});

afterEach(async () => {
  site.proxy.heal();
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

function connect(options: Partial<SolidClientOptions> = {}): HttpSolidClient {
  const client = createSolidClient({
    serverUrl: site.baseUrl,
    credentials: pod,
    ...options,
    policy: { firstPauseMs: 5, ...options.policy },
  });
  clients.push(client);
  return client;
}

const note = (): string => `${pod.root}note.txt`;

/** Later faults hit only the note, never the login. */
function harmNote(fault: Fault, times?: number) {
  const when = ({ url }: { url: string }): boolean => url === note();
  return site.proxy.inject({ when, fault, ...(times !== undefined && { times }) });
}

function requestsTo(path: string): number {
  return site.proxy.requests.filter(({ url }) => new URL(url).pathname === path).length;
}

async function failureOf(promise: Promise<unknown>): Promise<ServerError> {
  const error: unknown = await promise.then(
    () => new Error('nothing failed'),
    (reason: unknown) => reason,
  );
  if (error instanceof ServerError) return error;
  throw error;
}

describe('login', () => {
  test('[T18] a wrong secret is refused with HTTP 401 and a way out, and is not tried again', async () => {
    site.proxy.forget();
    const client = connect({ credentials: { ...pod, clientSecret: 'wrong' } });
    const failure = await failureOf(client.login());
    expect(failure).toMatchObject({ failure: 'login', details: { status: 401 } });
    expect(failure.message).toMatch(/^The login failed: HTTP 401 .*issue new ones/);
    expect(failure.message).not.toContain('wrong');
    expect(requestsTo('/.oidc/token')).toBe(1);
  });

  test('a server that is no Solid server is named as such', async () => {
    site.proxy.inject({
      when: ({ url }) => url.endsWith('/openid-configuration'),
      fault: { kind: 'answer', status: 200, body: '<html></html>' },
    });
    const failure = await failureOf(connect().login());
    expect(failure).toMatchObject({ failure: 'login' });
    expect(failure.message).toContain('is this the address of a Solid server?');
  });

  test('[T1] the secret goes to no other server, whatever the discovery document says', async () => {
    site.proxy.forget();
    site.proxy.inject({
      when: ({ url }) => url.endsWith('/openid-configuration'),
      fault: {
        kind: 'answer',
        status: 200,
        body: JSON.stringify({ token_endpoint: 'https://evil.example/token' }),
      },
    });
    const client = connect({ allowedOrigins: ['https://evil.example'] });
    const failure = await failureOf(client.login());
    expect(failure.failure).toBe('forbidden-address');
    expect(site.proxy.requests).toHaveLength(1);
  });

  test('a demanded nonce is sent along, at the login and later', async () => {
    const demand = {
      kind: 'answer',
      status: 401,
      headers: { 'dpop-nonce': 'n-1', 'www-authenticate': 'DPoP error="use_dpop_nonce"' },
    } as const;
    harmNote(demand, 1);
    site.proxy.inject({
      when: ({ url }) => url.endsWith('/.oidc/token'),
      times: 1,
      fault: { ...demand, status: 400, body: '{"error":"use_dpop_nonce"}' },
    });
    // The real token endpoint refuses a proof with a nonce, so only its arrival is looked at.
    site.proxy.forget();
    await failureOf(connect().login());
    const nonces = site.proxy.requests.map(({ headers }) => nonceIn(headers['dpop']));
    expect(nonces).toEqual([undefined, undefined, 'n-1']);

    site.proxy.forget();
    expect((await connect().request(note())).status).toBe(200);
    const proofs = site.proxy.requests.filter(({ url }) => url === note());
    expect(proofs.map(({ headers }) => nonceIn(headers['dpop']))).toEqual([undefined, 'n-1']);
  });

  test('a token that comes to its end is renewed before the server refuses it', async () => {
    let ahead = 0;
    const client = connect({ now: () => Date.now() + ahead });
    await client.login();
    site.proxy.forget();
    ahead = 1_600;
    expect((await client.request(note())).status).toBe(200);
    expect(site.proxy.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(requestsTo('/.oidc/token')).toBe(1);
  });

  test('a refused token is renewed once and the request repeated once', async () => {
    let ahead = 0;
    const client = connect({ now: () => Date.now() + ahead });
    await client.login();
    ahead = 1_200;
    site.proxy.forget();
    const fault = harmNote({ kind: 'answer', status: 401 }, 1);
    expect((await client.request(note())).status).toBe(200);
    expect(fault.hits).toBe(1);
    expect(requestsTo('/.oidc/token')).toBe(1);

    harmNote({ kind: 'answer', status: 401 });
    ahead = 2_400;
    site.proxy.forget();
    expect((await client.request(note())).status).toBe(401);
    expect(requestsTo(new URL(note()).pathname)).toBeLessThanOrEqual(2);
  });

  test('without credentials nothing is logged in, and private documents answer 401', async () => {
    site.proxy.forget();
    const client = connect({ credentials: null });
    await client.login();
    expect((await client.request(pod.webId)).status).toBe(200);
    expect((await client.request(note())).status).toBe(401);
    expect(requestsTo('/.oidc/token')).toBe(0);
  });
});

describe('answers', () => {
  test('reads are always put to the server itself', async () => {
    site.proxy.forget();
    await connect().request(note());
    const read = site.proxy.requests.find(({ url }) => url === note());
    expect(read?.headers['cache-control']).toBe('no-cache');
  });

  test('a compressed answer, which nobody asked for, is refused', async () => {
    site.proxy.forget();
    harmNote(answerWith('gzip', Buffer.from('hello')));
    const failure = await failureOf(connect().request(note()));
    expect(failure).toMatchObject({ failure: 'refused', details: { url: note() } });
    expect(site.proxy.requests.at(-1)?.headers['accept-encoding']).toBe('identity');
  });

  test('an answer that is too large is not read on', async () => {
    const hits = harmNote(answerWith('identity', Buffer.alloc(2_000_000)));
    const failure = await failureOf(connect().request(note(), { maxBytes: 1_000_000 }));
    expect(failure).toMatchObject({ failure: 'too-large', details: { url: note() } });
    expect(hits.hits).toBe(1);
  });
});

describe('faults that pass', () => {
  test.each<[string, Fault]>([
    ['a connection that breaks', { kind: 'reset' }],
    ['a connection that breaks after the request', { kind: 'reset-after' }],
    ['an answer that breaks off', { kind: 'truncate', bytes: 10 }],
    ['HTTP 500', { kind: 'answer', status: 500 }],
    ['HTTP 503', { kind: 'answer', status: 503 }],
    ['HTTP 429', { kind: 'answer', status: 429 }],
  ])('%s is tried again, with a fresh proof', async (_name, fault) => {
    site.proxy.forget();
    harmNote(fault, 2);
    const answer = await connect().request(note());
    expect(answer.body.toString()).toBe('a note of thirty-one characters');
    const proofs = site.proxy.requests
      .filter(({ url }) => url === note())
      .map(({ headers }) => headers['dpop']);
    expect(new Set(proofs).size).toBe(3);
  });

  test('a PATCH is repeated, a POST and a write with a condition are not', async () => {
    const url = `${pod.root}patched.ttl`;
    const headers = { 'content-type': 'application/sparql-update' };
    const request = { method: 'PATCH', headers, body: 'INSERT DATA { <#a> <#b> "c" . }' } as const;
    const once = [
      { ...request, method: 'POST' as const },
      { ...request, headers: { ...headers, 'if-match': '"x"' } },
    ];
    const lose = () =>
      site.proxy.inject({
        when: (asked) => asked.url === url,
        fault: { kind: 'fail-after', status: 502 },
        times: 1,
      });
    lose();
    expect((await connect().request(url, request)).status).toBe(205);
    for (const one of once) {
      lose();
      const failure = await failureOf(connect().request(url, one));
      expect(failure).toMatchObject({ failure: 'unavailable', details: { status: 502 } });
    }
  });
});

describe('faults that stay', () => {
  test.each<[string, Fault]>([
    ['gives no answer', { kind: 'hang' }],
    ['trickles', { kind: 'trickle', bytes: 1, everyMs: 40 }],
  ])('a server that %s is given up as slow', async (_name, fault) => {
    harmNote(fault);
    const timeouts = { answerMs: 300, idleMs: 300, totalMs: 600 };
    const failure = await failureOf(connect({ timeouts }).request(note()));
    expect(failure).toMatchObject({ failure: 'slow', details: { url: note() } });
  });

  test('[7.7] a document that says "not now" to a request that stands apart holds up no other', async () => {
    let isRefused = false;
    const onRequest = ({ outcome }: RequestEvent) => {
      isRefused ||= 'status' in outcome && outcome.status === 429;
    };
    const client = connect({ onRequest });
    harmNote({ kind: 'answer', status: 429, headers: { 'retry-after': '20' } });
    const stop = new AbortController();
    const apart = client.request(note(), { isApart: true, signal: stop.signal }).catch(String);
    await vi.waitUntil(() => isRefused);
    const others = [client.request(pod.webId), client.request(`${pod.root}missing.txt`)];
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 404]);
    stop.abort(new Error('The others are answered.'));
    expect(await apart).toContain('The others are answered.');
    // Well before the end of the pause.
  }, 15_000);
});

describe('addresses', () => {
  /** Starts a server on another origin, which notes what it is asked. */
  async function startOther(answer: RequestListener = (_, response) => void response.end('other')) {
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(request, response);
    });
    return { asked, origin: await serveUntilEnd(other) };
  }

  test('[T1] another origin is never asked, and an allowed one is', async () => {
    const { asked, origin } = await startOther();
    const failure = await failureOf(connect().request(`${origin}/a`));
    expect(failure.failure).toBe('forbidden-address');
    expect(asked).toEqual([]);
    const client = connect({ allowedOrigins: [origin] });
    expect(await client.request(`${origin}/a`)).toMatchObject({ status: 200 });
    expect(asked).toEqual(['/a']);
  });

  test('[T1] a redirect is followed nowhere', async () => {
    const { asked, origin } = await startOther();
    const client = connect({ allowedOrigins: [origin] });
    for (const status of [301, 302, 303, 307, 308]) {
      for (const location of [`${origin}/b`, `${pod.root}other.txt`]) {
        harmNote({ kind: 'answer', status, headers: { location } }, 1);
        expect(await client.request(note())).toMatchObject({ status, url: note() });
      }
    }
    expect(asked).toEqual([]);
    expect(requestsTo(new URL(`${pod.root}other.txt`).pathname)).toBe(0);
  });

  test('another server that refuses the login causes no new login and no second request', async () => {
    const { asked, origin } = await startOther((_, response) => void response.writeHead(401).end());
    let ahead = 0;
    const { baseUrl } = sharedSolidServer();
    const client = connect({
      serverUrl: baseUrl,
      credentials: await createPod({ baseUrl }),
      allowedOrigins: [origin],
      now: () => Date.now() + ahead,
    });
    await client.login();
    ahead = 60_000;
    expect((await client.request(`${origin}/a`)).status).toBe(401);
    expect((await client.request(`${origin}/b`)).status).toBe(401);
    expect(asked).toEqual(['/a', '/b']);
  });

  test('a server that compares the proof letter by letter is asked in vain once', async () => {
    const asked: number[] = [];
    const { origin } = await startOther((request, response) => {
      const { htu } = claimsIn(request.headers['dpop']);
      const status = htu === `http://${request.headers.host}${request.url}` ? 200 : 401;
      asked.push(status);
      response.writeHead(status).end();
    });
    const client = connect({ allowedOrigins: [origin] });
    for (const path of ['/a/plain', '/zoe@home/app/b:1', '/zoe@home/app/b:2']) {
      expect((await client.request(origin + path)).status, path).toBe(200);
    }
    expect(asked).toEqual([200, 401, 200, 200]);
  });
});

describe('abort', () => {
  const reason = new Error('stopped');

  test.each<[string, Fault]>([
    ['in flight', { kind: 'hang' }],
    ['within the answer', { kind: 'trickle', bytes: 1, everyMs: 1_000 }],
    ['between two tries', { kind: 'answer', status: 503, headers: { 'retry-after': '60' } }],
  ])('a request %s rejects with the reason of its signal', async (_name, fault) => {
    const stop = new AbortController();
    const hit = harmNote(fault);
    const answering = connect().request(note(), { signal: stop.signal });
    await hit.hit();
    stop.abort(reason);
    await expect(answering).rejects.toBe(reason);
    expect(hit.hits).toBe(1);
  });

  test('a signal that is aborted already sends nothing', async () => {
    site.proxy.forget();
    await expect(connect().request(note(), { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(site.proxy.requests).toEqual([]);
  });

  test('closing ends what is in flight', async () => {
    const hit = harmNote({ kind: 'hang' });
    const client = connect();
    const answering = client.request(note());
    await hit.hit();
    const ended = expect(answering).rejects.toMatchObject({ kind: 'cancelled' });
    await client.close();
    await ended;
  });
});

test('[T38] an observer learns what every exchange came to, and no address', async () => {
  const events: RequestEvent[] = [];
  harmNote({ kind: 'reset' }, 1);
  await connect({ onRequest: (event) => events.push(event) }).request(note());
  expect(events.map(({ method, outcome }) => [method, outcome])).toEqual([
    ['GET', { status: 200 }],
    ['POST', { status: 200 }],
    ['GET', { failure: 'unreachable' }],
    ['GET', { status: 200 }],
  ]);
  expect(JSON.stringify(events)).not.toContain('http');
});

function answerWith(encoding: string, body: Buffer): Fault {
  return { kind: 'answer', status: 200, headers: { 'content-encoding': encoding }, body };
}

function nonceIn(proof: string | string[] | undefined): unknown {
  return claimsIn(proof)['nonce'];
}

function claimsIn(proof: string | string[] | undefined): Record<string, unknown> {
  if (typeof proof !== 'string') return {};
  const payload = Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString('utf8');
  const claims: unknown = JSON.parse(payload);
  return typeof claims === 'object' && claims !== null ? { ...claims } : {};
}
