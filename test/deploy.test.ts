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

const part = z.record(z.string(), z.unknown());
const containerSchema = z.looseObject({
  securityContext: part,
  volumeMounts: z.array(z.object({ mountPath: z.string(), readOnly: z.boolean().default(false) })),
  startupProbe: part.optional(),
  livenessProbe: part.optional(),
});
const deploymentSchema = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    template: z.object({
      spec: z.object({ securityContext: part, containers: z.array(containerSchema) }),
    }),
  }),
});
const kubernetes = ['kubernetes/bp-analyser.yaml', 'kubernetes/workers.yaml'];
const deployments = kubernetes
  .flatMap(documentsOf)
  .flatMap((document) => deploymentSchema.safeParse(document).data ?? [])
  .map(({ spec }) => spec.template.spec);

test.each(files.filter((file) => /\.ya?ml$/.test(file)))('%s is YAML without a mistake', (file) => {
  expect(documentsOf(file).length).toBeGreaterThan(0);
});

test('the configurations are ones that the service takes', () => {
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

test('the containers of all files run as the same nobody, without rights, and write to two places only', () => {
  const locked = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  };
  expect(deployments).toHaveLength(2);
  for (const { securityContext, containers } of deployments) {
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
    for (const { securityContext, volumeMounts } of containers) {
      expect(securityContext).toEqual(locked);
      const writable = volumeMounts.filter(({ readOnly }) => !readOnly);
      expect(['/tmp', '/var/lib/bp-analyser']).toEqual(
        expect.arrayContaining(writable.map(({ mountPath }) => mountPath)),
      );
    }
  }
  const [compose] = documentsOf('container/compose.yaml');
  const inCompose = {
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  };
  expect(compose).toMatchObject({
    services: {
      analyser: inCompose,
      api: { ...inCompose, env_file: [] },
      'web-proxy': { ...inCompose, env_file: [] },
    },
  });
});

test('a storage server that is away restarts no container', () => {
  const containers = deployments.flatMap(({ containers }) => containers);
  const probes = containers.flatMap(({ startupProbe, livenessProbe }) =>
    [startupProbe, livenessProbe].filter((probe) => probe !== undefined),
  );
  expect(probes.length).toBeGreaterThan(2);
  for (const probe of probes) {
    expect(probe).toHaveProperty('tcpSocket');
    expect(probe).not.toHaveProperty('exec');
  }
});

test('nginx waits for an analysis as long as the service does', () => {
  const { analysis_timeout_seconds } = configSchema.parse({
    analyser: { web_id: 'https://pods.example.org/analyser/profile/card#me' },
  }).grpc;
  const calls = read('nginx/bp-analyser.conf')
    .split('location ')
    .filter((block) => /^\/ .*grpc_pass|^@web /s.test(block));
  expect(calls).toHaveLength(2);
  for (const block of calls) {
    expect(Number(/_read_timeout (\d+)s;/.exec(block)?.[1])).toBeGreaterThan(
      analysis_timeout_seconds,
    );
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
  const asked = ['prometheus/alerts.yaml', 'grafana/dashboard.json'].flatMap((file) => [
    ...read(file).matchAll(/\b(?:bp_analyser|process|nodejs)_[a-z0-9_]+\b/g),
  ]);
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
