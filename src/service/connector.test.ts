import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../test/support/listen.js';
import { outputBelow } from '../../test/support/output-below.js';
import { folderForEach } from '../../test/support/temp-folder.js';
import { configSchema } from '../config/schema.js';
import { createConnector, probeServer } from './connector.js';

const folder = folderForEach();
const { signal } = new AbortController();

/** A storage server that answers everything so; with what it was asked for. */
async function serving(status: number) {
  const asked: string[] = [];
  const server = createServer(({ method = '', url = '' }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  // It keeps connections until the other side closes them.
  server.keepAliveTimeout = 0;
  const closed: Promise<unknown>[] = [];
  server.on('connection', (socket) => void closed.push(once(socket, 'close')));
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(end);
  return { asked, origin, end, closed };
}

/** With folders of its own, of which one may be in the way. */
async function connecting(origin: string, broken?: keyof ReturnType<typeof outputBelow>) {
  const output = outputBelow(folder());
  if (broken !== undefined) {
    await mkdir(dirname(output[broken]), { recursive: true });
    await writeFile(output[broken], '');
  }
  const analyser = { web_id: `${origin}/analyser/profile/card#me`, server_url: origin };
  const secrets = {
    securityKey: 'any',
    clientId: 'any',
    clientSecret: 'any',
    grpcToken: null,
    redisUrl: null,
  };
  return { output, connector: createConnector(configSchema.parse({ analyser, output }), secrets) };
}

describe('a probe', () => {
  test.each(['', '/', '//'])(
    'asks one question, of a server with an address that ends in %j',
    async (end) => {
      const { asked, origin } = await serving(200);
      await probeServer(`${origin}${end}`, signal);
      expect(asked).toEqual(['GET /.well-known/openid-configuration']);
    },
  );

  test.each([200, 404, 429])('finds a server that answers HTTP %i', async (status) => {
    const { asked, origin } = await serving(status);
    await expect(probeServer(origin, signal)).resolves.toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  test.each([500, 503])('does not find one that answers HTTP %i', async (status) => {
    const { asked, origin } = await serving(status);
    await expect(probeServer(origin, signal)).rejects.toMatchObject({ failure: 'unavailable' });
    expect(asked).toHaveLength(1);
  });

  test('does not find one that is away', async () => {
    const { origin, end } = await serving(200);
    end();
    await expect(probeServer(origin, signal)).rejects.toMatchObject({ failure: 'unreachable' });
  });

  test('leaves no connection', async () => {
    const { origin, closed } = await serving(200);
    await probeServer(origin, signal);
    expect(closed).toHaveLength(1);
    await Promise.all(closed);
  }, 5_000);

  test('ends with its signal', async () => {
    const { origin } = await serving(200);
    const reason = new Error('The service stops.');
    await expect(probeServer(origin, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('tries the disk as well, and leaves nothing there', async () => {
    const { asked, origin } = await serving(200);
    const { output, connector } = await connecting(origin);
    await connector.probe(signal);
    expect(asked).toHaveLength(1);
    expect(await Promise.all(Object.values(output).map((path) => readdir(path)))).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe.each(['state_dir', 'results_dir', 'charts_dir'] as const)(
  'where %s cannot be written',
  (name) => {
    test('a probe fails', async () => {
      const { origin } = await serving(200);
      const { connector } = await connecting(origin, name);
      await expect(connector.probe(signal)).rejects.toMatchObject({ kind: 'disk' });
    });

    test('nobody logs in', async () => {
      const { asked, origin } = await serving(200);
      const { connector } = await connecting(origin, name);
      await expect(connector.connect(signal)).rejects.toMatchObject({ kind: 'disk' });
      expect(asked).toEqual([]);
    });
  },
);
