import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { configSchema } from '../src/config/schema.js';
import { unobserved } from '../src/run/observer.js';
import { AnalysisThread } from '../src/service/analysis-thread.js';
import { probeServer } from '../src/service/connector.js';
import { allowOrigins } from '../src/solid/allowed-address.js';
import { createSolidClient } from '../src/solid/http-solid-client.js';
import {
  createTransport,
  describeProxies,
  proxyVariables,
} from '../src/solid/requests/transport.js';
import { Certificates } from './grpc/certificates.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { listen, serveUntilEnd } from './support/listen.js';
import { noLog } from './support/no-log.js';
import { silentThread } from './support/silent-thread.js';
import { sharedSolidServer } from './support/solid-server.js';

/** Where each connection through the proxy led. */
const asked: string[] = [];
let refusal: string | null = null;

const owner = await createInitialisedPod(sharedSolidServer());
const proxy = createServer((_, answer) => answer.writeHead(405).end());
proxy.on('connect', (request, client) => {
  asked.push(request.url ?? '');
  if (refusal !== null) {
    client.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
    return;
  }
  const { hostname, port } = new URL(`http://${request.url}`);
  const server = connect(Number(port), hostname);
  server.on('connect', () => {
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    server.pipe(client).pipe(server);
  });
  for (const socket of [server, client]) socket.on('error', () => socket.destroy());
});
const address = (await serveUntilEnd(proxy)).replace('//', '//user:secret@');

afterEach(() => {
  vi.unstubAllEnvs();
  asked.length = 0;
  refusal = null;
});

async function get(address: string): Promise<string> {
  const url = allowOrigins([address])(address);
  const transport = createTransport({});
  try {
    const { body } = await transport.send({ method: 'GET', url, headers: {}, maxBytes: 1000 });
    return body.toString();
  } finally {
    await transport.close();
  }
}

test('a storage server is asked through the proxy, but for those that NO_PROXY names', async () => {
  const { baseUrl } = sharedSolidServer();
  const { account, pod } = owner;
  const place = new URL(baseUrl).host;
  vi.stubEnv('HTTP_PROXY', address);
  const ask = async () => {
    const client = createSolidClient({ serverUrl: baseUrl, credentials: account });
    const { status } = await client.request(pod.documents.encKeys);
    await client.close();
    return status;
  };
  expect(await ask()).toBe(200);
  await probeServer(baseUrl, new AbortController().signal);
  expect(asked.length).toBeGreaterThan(1);
  expect(new Set(asked)).toEqual(new Set([place]));
  asked.length = 0;
  vi.stubEnv('NO_PROXY', 'example.org,localhost');
  expect(await ask()).toBe(200);
  expect(asked).toEqual([]);
});

test('the analysis thread of a service goes through the proxy', async () => {
  const { baseUrl } = sharedSolidServer();
  const { account, pod, securityKey } = owner;
  const analyser = { web_id: pod.webId, server_url: baseUrl, app_dir_name: pod.appDir };
  const thread = new AnalysisThread({
    data: silentThread(configSchema.parse({ analyser }), { securityKey, ...account }),
    env: { HTTP_PROXY: address },
    log: noLog,
    observe: unobserved,
  });
  await thread.start();
  await expect.poll(() => thread.state).toEqual({ ready: true, reason: '' });
  await thread.shutDown();
  expect(new Set(asked)).toEqual(new Set([new URL(baseUrl).host]));
});

test('the analysis thread gets nothing of the environment but the proxies', () => {
  const proxies = {
    HTTPS_PROXY: 'http://a.example:1',
    HTTP_PROXY: 'http://b.example:2',
    https_proxy: 'http://c.example:3',
    http_proxy: 'http://d.example:4',
    NO_PROXY: 'e.example',
    no_proxy: 'f.example',
  };
  const others = { APP_ANALYSER_GRPC_TOKEN: 'token', PATH: '/usr/bin', ALL_PROXY: 'g.example' };
  expect(proxyVariables({ ...others, ...proxies })).toEqual(proxies);
  expect(proxyVariables(others)).toEqual({});
});

test('a server with TLS is asked through HTTPS_PROXY by its own name', async () => {
  using certificates = new Certificates();
  const { cert, key } = certificates.selfSigned('DNS:localhost');
  const pair = { cert: readFileSync(cert), key: readFileSync(key) };
  const server = createTlsServer(pair, (request, answer) => {
    answer.end('servername' in request.socket ? request.socket.servername : 'no TLS');
  });
  const port = await listen(server);
  vi.stubEnv('HTTPS_PROXY', address);
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  expect(await get(`https://localhost:${port}/`)).toBe('localhost');
  expect(asked).toEqual([`localhost:${port}`]);
  server.close();
});

test('a proxy that refuses, is not there or is none is told from the server', async () => {
  vi.stubEnv('HTTPS_PROXY', address);
  refusal = '407 Proxy Authentication Required';
  const url = 'https://pods.example.org/';
  await expect(get(url)).rejects.toThrow(/could not be reached: Proxy response \(407\)/);
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
  await expect(get(url)).rejects.toThrow(/could not be reached: .* 127\.0\.0\.1:9/);
  vi.stubEnv('HTTPS_PROXY', 'http://no-such-proxy.invalid:9');
  await expect(get(url)).rejects.toThrow(/could not be reached: .*no-such-proxy\.invalid/);
  vi.stubEnv('HTTPS_PROXY', 'proxy.example.org:3128');
  await expect(get(url)).rejects.toMatchObject({ kind: 'configuration' });
});

test('[T18] what check shows of proxies has no password in it', () => {
  expect(describeProxies({})).toBeNull();
  expect(describeProxies({ https_proxy: address, NO_PROXY: 'localhost' })).toBe(
    `HTTPS_PROXY ${new URL(address).host}; NO_PROXY localhost`,
  );
  expect(describeProxies({ HTTP_PROXY: 'nonsense' })).toBe('HTTP_PROXY no address');
});
