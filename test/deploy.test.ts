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

const deploymentSchema = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    template: z.object({
      spec: z.object({
        securityContext: z.unknown(),
        containers: z.array(
          z.object({
            securityContext: z.unknown(),
            volumeMounts: z.array(
              z.object({ mountPath: z.string(), readOnly: z.boolean().default(false) }),
            ),
          }),
        ),
      }),
    }),
  }),
});
const probe = z.record(z.string(), z.unknown());
const probedSchema = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.array(z.object({ startupProbe: probe.optional(), livenessProbe: probe })),
      }),
    }),
  }),
});
const containerSchema = z.object({
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  env_file: z.array(z.string()),
});
const composeSchema = z.object({
  services: z.object({
    analyser: containerSchema,
    api: containerSchema,
    'web-proxy': containerSchema,
  }),
});

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
  const deployments = ['kubernetes/bp-analyser.yaml', 'kubernetes/workers.yaml']
    .flatMap((file) => [parseAllDocuments(read(file), { merge: true })].flat())
    .flatMap((document) => deploymentSchema.safeParse(document.toJS()).data ?? []);
  expect(deployments).toHaveLength(2);
  for (const { spec } of deployments.map(({ spec }) => spec.template)) {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
    for (const { securityContext, volumeMounts } of spec.containers) {
      expect(securityContext).toEqual(locked);
      const writable = volumeMounts.filter(({ readOnly }) => !readOnly);
      expect(['/tmp', '/var/lib/bp-analyser']).toEqual(
        expect.arrayContaining(writable.map(({ mountPath }) => mountPath)),
      );
    }
  }
  const { services } = composeSchema.parse(
    parseDocument(read('container/compose.yaml'), { merge: true }).toJS(),
  );
  for (const { read_only, cap_drop, security_opt } of Object.values(services)) {
    expect({ read_only, cap_drop, security_opt }).toEqual({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  }
  for (const open of [services.api, services['web-proxy']]) expect(open.env_file).toEqual([]);
});

test('a storage server that is away restarts no container', () => {
  const probes = parseAllDocuments(read('kubernetes/bp-analyser.yaml'), { merge: true });
  const containers = [probes].flat().flatMap((document) => {
    const found = probedSchema.safeParse(document.toJS()).data;
    return found?.spec.template.spec.containers ?? [];
  });
  expect(containers.length).toBeGreaterThan(1);
  for (const { startupProbe, livenessProbe } of containers) {
    for (const probe of [startupProbe ?? livenessProbe, livenessProbe]) {
      expect(Object.keys(probe)).toContain('tcpSocket');
      expect(Object.keys(probe)).not.toContain('exec');
    }
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
