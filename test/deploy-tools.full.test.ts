import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChannelCredentials } from '@grpc/grpc-js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { findFreePort } from '../src/embedded-server/embedded-server.js';
import { createMetrics } from '../src/metrics/metrics.js';
import { PlainClient } from './grpc/plain-client.js';
import { startApi } from './support/api-client.js';
import { listen } from './support/listen.js';
import { startShippedSite } from './support/nginx.js';
import { folderForEach } from './support/temp-folder.js';
import { send } from './web-proxy/web-caller.js';

/** What can be checked here is; of deploy/ nginx alone is run. Tools that are missing are named. */
const deploy = fileURLToPath(new URL('../deploy/', import.meta.url));
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');

const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin'];
function findTool(name: string): string | undefined {
  const found = folders.map((place) => join(place, name)).find((path) => existsSync(path));
  if (found === undefined) console.log(`${name} is not installed; what it checks is left out.`);
  return found;
}

const folder = folderForEach();

/** Fails with what the tool says. */
function run(tool: string, args: string[], cwd: string): string {
  try {
    return execFileSync(tool, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const said = z.object({ stdout: z.string(), stderr: z.string() }).parse(error);
    throw new Error(`${tool} ${args.join(' ')}:\n${said.stdout}${said.stderr}`);
  }
}

const promtool = findTool('promtool');
describe.skipIf(promtool === undefined)('Prometheus', () => {
  test('takes the rules, which fire when they should', () => {
    const at = join(deploy, 'prometheus');
    run(promtool ?? '', ['check', 'config', 'prometheus.yaml'], at);
    run(promtool ?? '', ['check', 'rules', 'alerts.yaml'], at);
    run(promtool ?? '', ['test', 'rules', 'alerts.test.yaml'], at);
  });

  test('finds nothing to object to in what the service says', async () => {
    const text = await createMetrics().registry.metrics();
    const options = { input: text, encoding: 'utf8', stdio: 'pipe' } as const;
    expect(execFileSync(promtool ?? '', ['check', 'metrics'], options)).toBe('');
  });
});

const analyze = findTool('systemd-analyze');
describe.skipIf(analyze === undefined)('systemd', () => {
  const units = ['', '-worker@', '-api', '-web-proxy'].map((kind) => `bp-analyser${kind}.service`);
  test.each(units)('takes %s', (unit) => {
    const name = join(folder(), unit);
    // The one thing that differs here: where Node.js is.
    writeFileSync(name, read(`systemd/${unit}`).replaceAll('/usr/bin/node', process.execPath));
    expect(run(analyze ?? '', ['verify', '--man=no', name], folder())).toBe('');
    run(analyze ?? '', ['security', '--offline=true', '--threshold=20', name], folder());
  });
});

const nginx = findTool('nginx');
describe.skipIf(nginx === undefined)('nginx', () => {
  test('lets a browser ask for a front end on a listed origin, and nobody else without the password', async () => {
    const origin = 'https://front-end.example.org';
    const output = { state_dir: folder(), results_dir: folder(), charts_dir: folder() };
    const api = await startApi(output, { cors_origins: [origin] });
    onTestFinished(() => api.stop());
    const tls = await findFreePort();
    await startShippedSite(folder(), {
      tls,
      api: Number(new URL(api.address).port),
    });
    const ask = async (method: string, headers: Record<string, string>) => {
      const { status, headers: answered } = await send(
        `https://127.0.0.1:${tls}/api/status`,
        method,
        { headers: { host: 'analyser.example.org', origin, ...headers } },
      );
      const allowed = answered['access-control-allow-headers'];
      return { status, allowed, origin: answered['access-control-allow-origin'] };
    };
    const preflight = {
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    };
    const authorization = `Basic ${Buffer.from('operator:secret').toString('base64')}`;
    expect(await ask('OPTIONS', preflight)).toMatchObject({
      status: 204,
      origin,
      allowed: expect.stringContaining('Authorization'),
    });
    expect(await ask('GET', { authorization })).toMatchObject({ status: 200, origin });
    expect(await ask('GET', {})).toMatchObject({ status: 401 });
    // Ten pages in a row with style, font and picture are no flood.
    const pages = await Promise.all(
      Array.from({ length: 40 }, () => ask('GET', { authorization })),
    );
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
    expect(await ask('POST', { authorization })).toMatchObject({ status: 403 });
    const other = { ...preflight, origin: 'https://elsewhere.example' };
    expect(await ask('OPTIONS', other)).toMatchObject({ status: 204, origin: undefined });
  });

  test('hands browsers to the web-proxy and other apps to the service, each with their own address', async () => {
    /** Who asks for what, as each of both is told. */
    const told: Record<'web' | 'grpc', unknown[]> = { web: [], grpc: [] };
    const web = createServer(({ method, headers }, response) => {
      told.web.push([method, headers['x-forwarded-for']]);
      response.end();
    });
    const grpc = createHttp2Server((request, response) => {
      told.grpc.push([request.url, request.headers['x-forwarded-for']]);
      response.stream.respond({ 'content-type': 'application/grpc', 'grpc-status': '0' });
      response.end();
    });
    const tls = await findFreePort();
    const ports = { tls, grpc: await listen(grpc), web: await listen(web) };
    await startShippedSite(folder(), ports);
    const credentials = ChannelCredentials.createSsl(readFileSync(join(folder(), 'fullchain.pem')));
    const app = new PlainClient(tls, null, credentials, {
      'grpc.ssl_target_name_override': 'localhost',
      'grpc.default_authority': 'grpc.analyser.example.org',
    });
    onTestFinished(() => {
      app.close();
      for (const server of [web, grpc]) server.close();
    });
    const forged = { 'x-forwarded-for': '203.0.113.9' };
    const path = '/healthpod.analyser.v1.Analyser/Status';
    for (const [method, type] of [
      ['OPTIONS', undefined],
      ['POST', 'application/grpc-web+proto'],
    ] as const) {
      const host = 'grpc.analyser.example.org';
      const page = { origin: 'https://app.example.org', 'access-control-request-method': 'POST' };
      const headers = { host, ...page, ...forged, ...(type && { 'content-type': type }) };
      await send(`https://127.0.0.1:${tls}${path}`, method, {
        headers,
        localAddress: '127.0.0.2',
      });
    }
    expect(told.web).toEqual([
      ['OPTIONS', '127.0.0.2'],
      ['POST', '127.0.0.2'],
    ]);
    // It is answered with nothing, which is no reply to the app.
    await app.call('Status', {}, {}, forged).catch(() => undefined);
    expect(told.grpc).toEqual([[path, '127.0.0.1']]);
  });
});
