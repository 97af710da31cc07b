import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChannelCredentials } from '@grpc/grpc-js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PlainClient } from './grpc/plain-client.js';
import { startApi } from './support/api-client.js';
import { listen } from './support/listen.js';
import { hasNginx, startShippedSite } from './support/nginx.js';
import { folderForEach } from './support/temp-folder.js';
import { send } from './web-proxy/web-caller.js';

/** What can be checked here is; of deploy/ nginx alone is run. What its tool is missing for is left out. */
const deploy = fileURLToPath(new URL('../deploy/', import.meta.url));
const folder = folderForEach();
const has = (tool: string) => spawnSync(tool, ['--version']).error === undefined;

/** Fails with what the tool says. */
const run = (tool: string, args: string[], options: { cwd?: string; input?: string } = {}) =>
  execFileSync(tool, args, { ...options, encoding: 'utf8', stdio: 'pipe' });

describe.runIf(has('promtool'))('Prometheus', () => {
  test('takes the rules, which fire when they should', () => {
    const at = { cwd: join(deploy, 'prometheus') };
    run('promtool', ['check', 'config', 'prometheus.yaml'], at);
    run('promtool', ['check', 'rules', 'alerts.yaml'], at);
    run('promtool', ['test', 'rules', 'alerts.test.yaml'], at);
  });
});

describe.runIf(has('systemd-analyze'))('systemd', () => {
  const units = ['', '-worker@', '-api', '-web-proxy'].map((kind) => `bp-analyser${kind}.service`);
  test.each(units)('takes %s', (unit) => {
    const name = join(folder(), unit);
    // The one thing that differs here: where Node.js is.
    const shipped = readFileSync(join(deploy, 'systemd', unit), 'utf8');
    writeFileSync(name, shipped.replaceAll('/usr/bin/node', process.execPath));
    expect(run('systemd-analyze', ['verify', '--man=no', name])).toBe('');
    run('systemd-analyze', ['security', '--offline=true', '--threshold=20', name]);
  });
});

describe.runIf(hasNginx)('nginx', () => {
  test('lets a browser ask for a front end on a listed origin, and nobody else without the password', async () => {
    const origin = 'https://front-end.example.org';
    const output = { state_dir: folder(), results_dir: folder(), charts_dir: folder() };
    const api = await startApi(output, { cors_origins: [origin] });
    onTestFinished(() => api.stop());
    const { tls } = await startShippedSite({ api: Number(new URL(api.address).port) });
    const address = `https://127.0.0.1:${tls}/api/status`;
    const ask = async (method: string, headers: Record<string, string>) => {
      const { status, headers: answered } = await send(address, method, {
        headers: { host: 'analyser.example.org', origin, ...headers },
      });
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

  test('with the page to log in, shows the dashboard to those alone whom the login service knows', async () => {
    const api = await startApi({
      state_dir: folder(),
      results_dir: folder(),
      charts_dir: folder(),
    });
    /** As oauth2-proxy answers: 202 for a session that it knows, else 401; it begins a login, and is asked from here alone. */
    const service = createServer(({ url = '', headers }, response) => {
      const isKnown = headers.cookie === '_oauth2_proxy=anna';
      const status = url === '/oauth2/auth' ? (isKnown ? 202 : 401) : 203;
      response.writeHead(status).end(url);
    });
    const login = await listen(service);
    onTestFinished(async () => {
      service.close();
      await api.stop();
    });
    const { tls } = await startShippedSite({ api: Number(new URL(api.address).port), login });
    const ask = async (path: string, cookie?: string, method = 'GET') => {
      const { status, headers } = await send(`https://127.0.0.1:${tls}${path}`, method, {
        headers: { host: 'analyser.example.org', ...(cookie !== undefined && { cookie }) },
      });
      return { status, location: headers['location'] };
    };
    for (const path of ['/', '/api/status', '/docs']) {
      const to = { status: 302, location: expect.stringContaining(`/oauth2/start?rd=${path}`) };
      expect(await ask(path)).toEqual(to);
      expect(await ask(path, '_oauth2_proxy=mallory')).toEqual(to);
    }
    expect(await ask('/api/status', '_oauth2_proxy=anna')).toMatchObject({ status: 200 });
    expect(await ask('/api/status', '_oauth2_proxy=anna', 'POST')).toMatchObject({ status: 403 });
    expect(await ask('/oauth2/start?rd=/')).toMatchObject({ status: 203 });
    // What nginx asks, nobody else does.
    expect(await ask('/oauth2/auth', '_oauth2_proxy=anna')).toMatchObject({ status: 404 });
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
    const ports = { grpc: await listen(grpc), web: await listen(web) };
    const { tls, cert } = await startShippedSite(ports);
    const credentials = ChannelCredentials.createSsl(readFileSync(cert));
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
    const headers = {
      host: 'grpc.analyser.example.org',
      origin: 'https://app.example.org',
      ...forged,
      'access-control-request-method': 'POST',
      'content-type': 'application/grpc-web+proto',
    };
    const localAddress = '127.0.0.2';
    for (const method of ['OPTIONS', 'POST']) {
      await send(`https://127.0.0.1:${tls}${path}`, method, { headers, localAddress });
    }
    expect(told.web).toEqual([
      ['OPTIONS', localAddress],
      ['POST', localAddress],
    ]);
    // It is answered with nothing, which is no reply to the app.
    await app.call('Status', {}, {}, forged).catch(() => undefined);
    expect(told.grpc).toEqual([[path, '127.0.0.1']]);
  });
});
