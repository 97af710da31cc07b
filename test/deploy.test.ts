import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseAllDocuments, parseDocument } from 'yaml';
import { z } from 'zod';
import { createLogger } from '../src/base/logger.js';
import { configSchema } from '../src/config/schema.js';
import { findFreePort } from '../src/embedded-server/embedded-server.js';
import { startHttpApi } from '../src/http/start-http-api.js';
import { createMetrics } from '../src/metrics/metrics.js';
import { waitForPort } from './support/nginx.js';

/** What can be checked here is; of deploy/ nginx alone is run. Tools that are missing are named. */
const deploy = fileURLToPath(new URL('../deploy/', import.meta.url));
const files = readdirSync(deploy, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(deploy.length));
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');

const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin'];
function findTool(name: string): string | undefined {
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) console.log(`${name} is not installed; what it checks is left out.`);
  return found;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bp-deploy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Fails with what the tool says. */
function run(tool: string, args: string[], cwd: string): string {
  try {
    return execFileSync(tool, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const said = z.object({ stdout: z.string(), stderr: z.string() }).parse(error);
    throw new Error(`${tool} ${args.join(' ')}:\n${said.stdout}${said.stderr}`);
  }
}

test.each(files.filter((file) => /\.ya?ml$/.test(file)))('%s is YAML without a mistake', (file) => {
  const documents = parseAllDocuments(read(file), { merge: true, uniqueKeys: true });
  for (const document of [documents].flat()) {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    document.toJS();
  }
});

test('the configurations are ones that the service takes', () => {
  const [configMap] = [
    parseAllDocuments(read('kubernetes/bp-analyser.yaml'), { merge: true }),
  ].flat();
  const inKubernetes = z
    .object({ data: z.object({ 'config.yaml': z.string() }) })
    .parse(configMap?.toJS()).data['config.yaml'];
  for (const text of [inKubernetes, read('container/config.yaml')]) {
    const config = configSchema.parse(parseDocument(text).toJS());
    expect(config.output.state_dir).toBe('/var/lib/bp-analyser/state');
    expect(config.analyser).not.toHaveProperty('security_key');
  }
});

test('alerts and panels ask only for figures that exist', async () => {
  const { registry } = createMetrics();
  const known = new Set(
    (await registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
      String(type) === 'histogram'
        ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`)
        : [name],
    ),
  );
  const asked = [
    'prometheus/alerts.yaml',
    'grafana/dashboard.json',
    'kubernetes/workers.yaml',
  ].flatMap((file) => [...read(file).matchAll(/\b(?:bp_analyser|process|nodejs)_[a-z0-9_]+\b/g)]);
  expect(asked.length).toBeGreaterThan(20);
  expect([...new Set(asked.map(([name]) => name))].filter((name) => !known.has(name))).toEqual([]);
});

test('Grafana is given panels with an id each, and no data source of ours', () => {
  const dashboard = z
    .object({
      panels: z.array(
        z.object({
          id: z.number(),
          title: z.string().min(1),
          targets: z.array(z.object({ expr: z.string().min(1) })).min(1),
          datasource: z.object({ uid: z.literal(`\${datasource}`) }),
        }),
      ),
    })
    .parse(JSON.parse(read('grafana/dashboard.json')));
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the image starts as nobody and is built without install scripts', () => {
  const lines = read('container/Dockerfile').split('\n');
  expect(lines).toContain('USER 10001:10001');
  const installs = lines.filter((line) => line.includes('npm ci'));
  expect(installs).toHaveLength(2);
  expect(installs.filter((line) => !line.includes('--ignore-scripts'))).toEqual([]);
  // Only what is named goes into the image: no configuration, no .env, no results.
  expect(read('container/Dockerfile.dockerignore')).toMatch(/^\*\*\n/);
});

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
  test.each(['bp-analyser.service', 'bp-analyser-worker@.service', 'bp-analyser-api.service'])(
    'takes %s',
    (unit) => {
      const name = join(folder, unit);
      // The one thing that differs here: where Node.js is.
      writeFileSync(name, read(`systemd/${unit}`).replaceAll('/usr/bin/node', process.execPath));
      expect(run(analyze ?? '', ['verify', '--man=no', name], folder)).toBe('');
      run(analyze ?? '', ['security', '--offline=true', '--threshold=20', name], folder);
    },
  );
});

const nginx = findTool('nginx');
describe.skipIf(nginx === undefined)('nginx', () => {
  /** The site as it is shipped, but for its places; returns what nginx is started with. */
  function writeSite(ports = { tls: 443, plain: 80, api: 8088 }): string[] {
    const [key, cert] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
    const subject = ['-subj', '/CN=localhost', '-keyout', key, '-out', cert];
    run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], folder);
    writeFileSync(join(folder, 'bp-analyser.htpasswd'), 'operator:{PLAIN}secret\n');
    const site = read('nginx/bp-analyser.conf')
      .replaceAll('/etc/letsencrypt/live/analyser.example.org', folder)
      .replaceAll('/etc/nginx/bp-analyser.htpasswd', join(folder, 'bp-analyser.htpasswd'))
      .replaceAll('listen 443', `listen 127.0.0.1:${ports.tls}`)
      .replaceAll('listen 80', `listen 127.0.0.1:${ports.plain}`)
      .replaceAll('127.0.0.1:8088', `127.0.0.1:${ports.api}`)
      // There may be no IPv6 where the tests run.
      .replaceAll(/^ *listen \[::\].*\n/gm, '');
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};\n`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off;\nmaster_process off;\npid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${paths.join('')}${site}}\n`,
    );
    return ['-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')];
  }

  test('takes the configuration', () => {
    run(nginx ?? '', ['-t', ...writeSite()], folder);
  });

  test('lets a browser ask for a front end on a listed origin, and nobody else without the password', async () => {
    const origin = 'https://front-end.example.org';
    const output = { state_dir: folder, results_dir: folder, charts_dir: folder };
    const api = await startHttpApi({
      api: { enabled: true, host: '127.0.0.1', port: 0, allowed_hosts: [], cors_origins: [origin] },
      output: { ...output, render_charts: true, keep_days: null },
      webDir: folder,
      log: createLogger({ verbose: false, stream: { write: () => undefined } }),
    });
    const ports = {
      tls: await findFreePort(),
      plain: await findFreePort(),
      api: Number(new URL(api.address).port),
    };
    const child = spawn(nginx ?? '', writeSite(ports), { stdio: 'inherit' });
    const gone = once(child, 'exit');
    try {
      await waitForPort(ports.tls);
      const ask = async (method: string, headers: Record<string, string>) => {
        const sent = request({
          ...{ host: '127.0.0.1', port: ports.tls, path: '/api/status', method },
          headers: { host: 'analyser.example.org', origin, ...headers },
          rejectUnauthorized: false,
          agent: false,
        });
        sent.end();
        const [answer] = z
          .tuple([z.instanceof(IncomingMessage)])
          .parse(await once(sent, 'response'));
        answer.resume();
        const allowed = answer.headers['access-control-allow-headers'];
        return {
          status: answer.statusCode,
          origin: answer.headers['access-control-allow-origin'],
          allowed,
        };
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
      expect(await ask('POST', { authorization })).toMatchObject({ status: 403 });
      const other = { ...preflight, origin: 'https://elsewhere.example' };
      expect(await ask('OPTIONS', other)).toMatchObject({ status: 204, origin: undefined });
    } finally {
      child.kill('SIGTERM');
      await gone;
      await api.stop();
    }
  });
});
