import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * Makes the package `bp-analyser-client` from a build: the client library with the files and the
 * packages that it imports, and nothing of the service. What it needs is found by following the
 * imports, so that there is no second list to keep up to date.
 */
const manifestSchema = z.looseObject({
  version: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
});

const root = fileURLToPath(new URL('../', import.meta.url));

interface Needed {
  /** Below dist/, without the ending. */
  modules: Set<string>;
  packages: Set<string>;
}

export async function writeClientPackage(dist: string, target: string): Promise<void> {
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(join(root, 'package.json'), 'utf8')),
  );
  const needed: Needed = { modules: new Set(), packages: new Set() };
  await follow(dist, join(dist, 'client/client.js'), needed);
  await rm(target, { recursive: true, force: true });
  for (const module of needed.modules) {
    for (const ending of ['.js', '.d.ts']) {
      const file = join(target, 'dist', module + ending);
      await mkdir(dirname(file), { recursive: true });
      await cp(join(dist, module + ending), file).catch(ignoreMissing(ending));
    }
  }
  const dependencies = Object.fromEntries(
    [...needed.packages].sort().map((name) => [name, versionOf(name, manifest.dependencies)]),
  );
  const client = {
    name: 'bp-analyser-client',
    version: manifest.version,
    description:
      'Share blood pressure readings of a Solid Pod with bp-analyser, and read the result',
    license: manifest.license,
    type: 'module',
    engines: manifest.engines,
    exports: { '.': { types: './dist/client/client.d.ts', default: './dist/client/client.js' } },
    files: ['dist', 'proto'],
    dependencies,
  };
  await writeFile(join(target, 'package.json'), `${JSON.stringify(client, null, 2)}\n`);
  await cp(join(root, 'LICENSE'), join(target, 'LICENSE'));
  await cp(join(root, 'proto/healthpod'), join(target, 'proto/healthpod'), { recursive: true });
  await writeFile(join(target, 'README.md'), await readme());
}

/** What the guide for app developers says of the library, as a page of its own. */
async function readme(): Promise<string> {
  const guide = await readFile(join(root, 'docs/app-developers.md'), 'utf8');
  const [, section] = /\n## In TypeScript\n(.*?)(?:\n## |$)/s.exec(guide) ?? [];
  if (section === undefined) throw new Error('docs/app-developers.md has no part "In TypeScript".');
  return `# bp-analyser-client\n${section}`;
}

/** Types are followed as well as code: a declaration file may name more than its module imports. */
async function follow(dist: string, file: string, needed: Needed): Promise<void> {
  const module = relative(dist, file).replace(/\.js$/, '');
  if (needed.modules.has(module)) return;
  needed.modules.add(module);
  for (const path of [file, file.replace(/\.js$/, '.d.ts')]) {
    const text = await readFile(path, 'utf8').catch(() => '');
    for (const name of namesIn(text)) {
      if (name.startsWith('.')) await follow(dist, join(dirname(file), name), needed);
      else if (!name.startsWith('node:')) needed.packages.add(packageOf(name));
    }
  }
}

/** Imports, and the files that threads are started with. */
const named =
  /(?:\bfrom|\bimport|\bimport\()\s*["']([^"'\s]+)["']|\bnew URL\(["'](\.[^"'\s]+\.js)["']/g;

function namesIn(text: string): string[] {
  return Array.from(text.matchAll(named), ([, imported, started]) => imported ?? started ?? '');
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

function versionOf(name: string, versions: Record<string, string>): string {
  const version = versions[name];
  if (version !== undefined) return version;
  throw new Error(`The client imports ${name}, which is no dependency in package.json.`);
}

/** A thread has no declaration file. */
function ignoreMissing(ending: string): (error: unknown) => void {
  return (error) => {
    if (ending === '.js') throw error;
  };
}
