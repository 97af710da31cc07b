import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

const repository = fileURLToPath(new URL('../', import.meta.url));

const reportSchema = z.object({
  summary: z.object({
    violations: z.array(
      z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) }),
    ),
  }),
});

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-direction-'));
  for (const name of ['package.json', 'tsconfig.json']) {
    await cp(join(repository, name), join(folder, name));
  }
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Every rule that the files break, as `rule: from → to`. */
async function findViolations(files: Record<string, string>): Promise<string[]> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const depcruise = join(repository, 'tools/node_modules/.bin/depcruise');
  const config = join(repository, 'dependency-cruiser.config.js');
  const child = spawn(depcruise, ['--config', config, '--output-type', 'json', '.'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [report] = await Promise.all([json(child.stdout), once(child, 'close')]);
  return reportSchema
    .parse(report)
    .summary.violations.map(
      ({ rule, from, to }) =>
        `${rule.name}: ${from} → ${to.replace(/.*node_modules/, 'node_modules')}`,
    )
    .sort();
}

test('the HTTP API cannot reach a Pod by a detour, the doors take only types of the configuration', async () => {
  expect(
    await findViolations({
      'src/solid/leaf.ts': 'export const leaf = 1;\n',
      'src/store/detour.ts': `export * from '../solid/leaf.js';\n`,
      'src/http/server.ts': `export * from '../store/detour.js';\n`,
      'src/config/schema.ts':
        'export const section = 1;\nexport type Api = number;\nexport type Config = number;\n',
      'src/http/types.ts': `export type { Api } from '../config/schema.js';\n`,
      'src/http/values.ts': `export { section } from '../config/schema.js';\n`,
      'src/config/secrets.ts': 'export type Secret = string;\n',
      'src/http/secret.ts': `export type { Secret } from '../config/secrets.js';\n`,
      'src/run/observer.ts': 'export const unobserved = 1;\nexport type Observer = number;\n',
      'src/grpc/server.ts': `export type { Config } from '../config/schema.js';\n`,
      'src/grpc/observed.ts': `export type { Observer } from '../run/observer.js';\n`,
      'src/grpc/unobserved.ts': `export { unobserved } from '../run/observer.js';\n`,
    }),
  ).toEqual([
    'direction-http: src/http/secret.ts → src/config/secrets.ts',
    'direction-store: src/store/detour.ts → src/solid/leaf.ts',
    'doors-take-types-only: src/grpc/unobserved.ts → src/run/observer.ts',
    'doors-take-types-only: src/http/values.ts → src/config/schema.ts',
    'http-holds-no-keys: src/http/secret.ts → src/config/secrets.ts',
    'http-holds-no-keys: src/http/server.ts → src/solid/leaf.ts',
  ]);
});

test('the proxy for browsers can reach nothing that logs in, nor what the gRPC port knows', async () => {
  expect(
    await findViolations({
      'src/solid/leaf.ts': 'export const leaf = 1;\n',
      'src/base/detour.ts': `export * from '../solid/leaf.js';\n`,
      'src/config/schema.ts': 'export type WebProxyConfig = number;\n',
      'src/config/secrets.ts': 'export type Secret = string;\n',
      'src/generated/messages.ts': 'export const message = 1;\n',
      'src/web-proxy/config.ts': `export type { WebProxyConfig } from '../config/schema.js';\n`,
      'src/web-proxy/start.ts': `export * from '../base/detour.js';\n`,
      'src/web-proxy/secret.ts': `export type { Secret } from '../config/secrets.js';\n`,
      'src/web-proxy/knows.ts': `export { message } from '../generated/messages.js';\n`,
    }),
  ).toEqual([
    'direction-base: src/base/detour.ts → src/solid/leaf.ts',
    'direction-web-proxy: src/web-proxy/knows.ts → src/generated/messages.ts',
    'direction-web-proxy: src/web-proxy/secret.ts → src/config/secrets.ts',
    'web-proxy-holds-no-keys: src/web-proxy/knows.ts → src/generated/messages.ts',
    'web-proxy-holds-no-keys: src/web-proxy/secret.ts → src/config/secrets.ts',
    'web-proxy-holds-no-keys: src/web-proxy/start.ts → src/solid/leaf.ts',
  ]);
});

test('cycles, unknown folders, tests and development packages are found', async () => {
  expect(
    await findViolations({
      'src/base/a.ts': `import './b.js';\n`,
      'src/base/b.ts': `import './a.js';\n`,
      'src/helpers/a.ts': `import '../base/a.js';\n`,
      'src/base/to-test.ts': `import '../../test/support.js';\n`,
      'test/support.ts': `import 'vitest';\n`,
      'src/base/dev.ts': `import 'fast-check';\n`,
      'src/base/dev.test.ts': `import 'fast-check';\n`,
      'src/base/missing.ts': `import './nowhere.js';\n`,
      'src/embedded-server/lazy.ts': `export const load = () => import('@solid/community-server');\n`,
      'src/embedded-server/eager.ts': `import '@solid/community-server';\n`,
      'src/embedded-server/other.ts': `export const load = () => import('fast-check');\n`,
    }),
  ).toEqual([
    'embedded-server-on-demand: src/embedded-server/eager.ts → node_modules/@solid/community-server/dist/index.js',
    'embedded-server-only: src/embedded-server/other.ts → node_modules/fast-check/lib/fast-check.js',
    'no-cycles: src/base/a.ts → src/base/b.ts',
    'no-development-packages: src/base/dev.ts → node_modules/fast-check/lib/fast-check.js',
    'source-stands-alone: src/base/to-test.ts → test/support.ts',
    'unknown-folder: src/helpers/a.ts → src/base/a.ts',
    'unresolvable: src/base/missing.ts → ./nowhere.js',
  ]);
});
