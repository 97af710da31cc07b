import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newFolder } from './support/temp-folder.js';

/** The image by its Dockerfile, without docker: its commands are run on what its whitelist lets through. */
const repository = fileURLToPath(new URL('../', import.meta.url));
const container = join(repository, 'deploy/container');
const folder = await newFolder();

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(join(container, file), 'utf8')).split('\n');
}

test('the image builds from the files that its context admits, and starts with what it takes from there', async () => {
  const [build, image] = [join(folder, 'build'), join(folder, 'image')];
  for (const line of await linesOf('Dockerfile.dockerignore')) {
    const [, name] = /^!(.+)$/.exec(line) ?? [];
    if (name !== undefined) {
      await cp(join(repository, name), join(build, name), { recursive: true });
    }
  }
  // What `npm ci` would bring.
  await symlink(join(repository, 'node_modules'), join(build, 'node_modules'));
  const lines = await linesOf('Dockerfile');
  const [, command = ''] = /^RUN (npm run .+)$/m.exec(lines.join('\n')) ?? [];
  // A build that finds its packages wanting must not install over those of this checkout.
  const dry = { npm_config_dry_run: 'true' };
  const env = { ...process.env, ...dry, BUILD_COMMIT: 'v0.1.0-3-g1a2b3c4' };
  execFileSync('sh', ['-c', command], { cwd: build, env });

  await mkdir(image);
  for (const line of lines.slice(lines.findLastIndex((text) => text.startsWith('FROM ')))) {
    const [, from, names = ''] = /^COPY (?:--from=(\w+) )?(.+) \S+$/.exec(line) ?? [];
    for (const name of names.split(' ').filter(Boolean)) {
      const path = name.replace(/^\/(?:build|app)\//, '');
      const taken = join(image, path);
      if (from === 'packages') await symlink(join(repository, path), taken);
      else await cp(join(build, path), taken, { recursive: true });
    }
  }
  const [, entryPoint = ''] = /^ENTRYPOINT (.+)$/m.exec(lines.join('\n')) ?? [];
  const [program = '', ...args] = z.array(z.string()).parse(JSON.parse(entryPoint));
  const entry = args.map((arg) => arg.replace('/app', image));
  expect(execFileSync(program, [...entry, '--version'], { encoding: 'utf8' })).toMatch(
    /^bp-analyser \d+\.\d+\.\d+ \(v0\.1\.0-3-g1a2b3c4\)\n$/,
  );
}, 300_000);
