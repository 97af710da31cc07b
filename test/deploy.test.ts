import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseAllDocuments, parseDocument } from 'yaml';
import { z } from 'zod';
import { configSchema } from '../src/config/schema.js';
import { createMetrics } from '../src/metrics/metrics.js';

/** What can be read off the files below deploy/; deploy-tools.full.test.ts has the programs that they are for try them. */
const deploy = fileURLToPath(new URL('../deploy/', import.meta.url));
const files = readdirSync(deploy, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(deploy.length));
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');

const documentsOf = (file: string): unknown[] =>
  [parseAllDocuments(read(file), { merge: true, uniqueKeys: true })].flat().map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    const value: unknown = document.toJS();
    return value;
  });

/** What stands under this key, anywhere in it. */
function valuesOf(key: string, of: unknown): unknown[] {
  if (typeof of !== 'object' || of === null) return [];
  return Object.entries(of).flatMap(([name, value]: [string, unknown]) => [
    ...(name === key ? [value] : []),
    ...valuesOf(key, value),
  ]);
}

test.each(files.filter((file) => /\.ya?ml$/.test(file)))('%s is YAML without a mistake', (file) => {
  expect(documentsOf(file).length).toBeGreaterThan(0);
});

test('[T28] the configurations are ones that the service takes', () => {
  const map = z.object({ data: z.object({ 'config.yaml': z.string() }) });
  const inKubernetes = map.parse(documentsOf('kubernetes/bp-analyser.yaml')[0]).data['config.yaml'];
  const configs = [inKubernetes, read('container/config.yaml')].map((text) =>
    configSchema.parse(parseDocument(text).toJS()),
  );
  for (const { analyser, output, api } of configs) {
    expect(output.state_dir).toBe('/var/lib/bp-analyser/state');
    expect(analyser).not.toHaveProperty('security_key');
    // Without them a page on the web reads the API under any name that it leads to the port.
    expect(api.allowed_hosts).toContain('localhost');
  }
  // One image, so what differs is said on purpose: who the Analyser is, TLS, the pages of the app, and the names of the API.
  const [first, second] = configs.map(({ analyser: _who, grpc, web_proxy, api, ...rest }) => ({
    ...rest,
    web_proxy: { ...web_proxy, origins: [] },
    grpc: { ...grpc, tls_cert_file: null, tls_key_file: null },
    api: { ...api, allowed_hosts: [] },
  }));
  expect(first).toEqual(second);
});

test('containers run as the same nobody, without rights, and write to two places only', () => {
  const all = ['kubernetes/bp-analyser.yaml', 'kubernetes/workers.yaml'].flatMap(documentsOf);
  const containers = valuesOf('containers', all).flat();
  expect(containers).toHaveLength(4);
  for (const container of containers) {
    const locks = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true };
    const securityContext = { ...locks, capabilities: { drop: ['ALL'] } };
    expect(container).toMatchObject({ securityContext });
  }
  expect(valuesOf('runAsUser', all)).toEqual([10001, 10001]);
  expect(valuesOf('runAsNonRoot', all)).toEqual([true, true]);
  const mount = z.object({ mountPath: z.string(), readOnly: z.boolean().default(false) });
  const mounts = z.array(mount).parse(valuesOf('volumeMounts', all).flat());
  const writable = mounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath);
  expect(new Set(writable)).toEqual(new Set(['/tmp', '/var/lib/bp-analyser']));

  const security_opt = ['no-new-privileges:true'];
  const locked = { read_only: true, cap_drop: ['ALL'], security_opt };
  const withoutSecrets = { ...locked, env_file: [] };
  expect(documentsOf('container/compose.yaml')[0]).toMatchObject({
    services: { analyser: locked, api: withoutSecrets, 'web-proxy': withoutSecrets },
  });
  expect(read('container/Dockerfile')).toMatch(/^USER 10001:10001$/m);
});

test('a storage server that is away restarts no container', () => {
  const all = documentsOf('kubernetes/bp-analyser.yaml');
  const probes = ['startupProbe', 'livenessProbe'].flatMap((name) => valuesOf(name, all));
  expect(probes).toHaveLength(4);
  for (const probe of probes) expect(probe).toHaveProperty('tcpSocket');
});

test('nginx waits for an analysis longer than the service does, and for a page half a minute', () => {
  const { analysis_timeout_seconds } = configSchema.parse({
    analyser: { web_id: 'https://pods.example.org/analyser/profile/card#me' },
  }).grpc;
  const waits = read('nginx/bp-analyser.conf').matchAll(/_(?:read|send)_timeout (\d+)s;/g);
  const [pages, ...calls] = Array.from(waits, ([, seconds]) => Number(seconds));
  expect(pages).toBe(30);
  expect(calls).toHaveLength(3);
  expect(Math.min(...calls)).toBeGreaterThan(analysis_timeout_seconds);
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
  const asked = ['prometheus/alerts.yaml', 'grafana/dashboard.json'].flatMap((file) => [
    ...read(file).matchAll(/\b(?:bp_analyser|process|nodejs)_[a-z0-9_]+\b/g),
  ]);
  expect(asked.length).toBeGreaterThan(20);
  expect([...new Set(asked.map(([name]) => name))].filter((name) => !known.has(name))).toEqual([]);
});

test('the image is built without install scripts, and of nothing but what is named', () => {
  const installs = read('container/Dockerfile').match(/npm ci.*/g) ?? [];
  expect(installs).toHaveLength(2);
  for (const install of installs) expect(install).toContain('--ignore-scripts');
  // No configuration, no .env, no results.
  expect(read('container/Dockerfile.dockerignore')).toMatch(/^\*\*\n/);
});
