import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/**
 * `npm run pack:client`: bp-analyser-client-VERSION.tgz in this folder, the client library with the files and the packages
 * that it imports, and nothing of the service. The compiler follows the imports, so that there is no second list to keep
 * up to date. On stdout stands the path of the package alone, so that a shell can install it.
 */
const manifestSchema = z.object({
  version: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
});
const { dependencies, ...manifest } = manifestSchema.parse(
  JSON.parse(readFileSync('package.json', 'utf8')),
);
const target = resolve('var/client-package');
rmSync(target, { recursive: true, force: true });
execFileSync(resolve('tools/node_modules/.bin/tsc'), ['-p', 'tsconfig.client.json'], {
  stdio: ['ignore', 2, 2],
});

/** Types name packages as well as code. */
const imported =
  /(?:\bfrom|\bimport|\bimport\()\s*["']((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^"']*)?["']/g;
const packages = readdirSync(join(target, 'dist'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(js|d\.ts)$/.test(file))
  .flatMap((file) =>
    Array.from(readFileSync(join(target, 'dist', file), 'utf8').matchAll(imported)),
  )
  .map(([, name = '']) => name);
const needed = Object.entries(dependencies).filter(([name]) => packages.includes(name));

const client = {
  name: 'bp-analyser-client',
  description: 'Share blood pressure readings of a Solid Pod with bp-analyser, and read the result',
  type: 'module',
  ...manifest,
  exports: { '.': entryPoint('client'), './testing': entryPoint('testing') },
  files: ['dist', 'proto'],
  dependencies: Object.fromEntries(needed),
};
function entryPoint(name: string) {
  return { types: `./dist/client/${name}.d.ts`, default: `./dist/client/${name}.js` };
}

/** What the guide for app developers says of the library, as a page of its own. */
const [, guide = ''] =
  /\n## In TypeScript\n(.*?)(?:\n## |$)/s.exec(readFileSync('docs/app-developers.md', 'utf8')) ??
  [];
writeFileSync(join(target, 'package.json'), `${JSON.stringify(client, null, 2)}\n`);
writeFileSync(join(target, 'README.md'), `# bp-analyser-client\n${guide}`);
cpSync('LICENSE', join(target, 'LICENSE'));
cpSync('proto/healthpod', join(target, 'proto/healthpod'), { recursive: true });
const packing = ['pack', '--silent', '--pack-destination', resolve('.')];
const file = execFileSync('npm', packing, { cwd: target, encoding: 'utf8' }).trim();
process.stdout.write(`${resolve(file)}\n`);
