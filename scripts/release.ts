import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { changelogSection } from './changelog-section.js';

/**
 * `npm run release`: everything that a release consists of, in var/release/VERSION, made twice from the
 * commit alone and compared byte for byte. Publishes nothing. `--dry-run` does without the tag.
 */
const usage = `npm run release [-- --dry-run]

Makes both npm packages, the context of the image, their bills of materials, SHA-256 sums and
the notes of the release in var/release/VERSION, and publishes nothing.
The commit must carry the tag vVERSION; with --dry-run it need not.`;
const root = resolve(import.meta.dirname, '..');
const flags = process.argv.slice(2);
if (flags.some((flag) => flag !== '--dry-run')) {
  console.error(usage);
  process.exit(flags.includes('--help') ? 0 : 2);
}

const manifest = z.object({ version: z.string() });
const { version } = manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const notes = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
if (output('git', ['status', '--porcelain']) !== '') {
  refuse('The work tree has changes that no commit holds: commit them, or put them away.');
}
if (notes === null) refuse(`CHANGELOG.md has no section "## ${version}".`);
const tags = output('git', ['tag', '--points-at', 'HEAD']).split('\n');
if (!flags.includes('--dry-run') && !tags.includes(`v${version}`)) {
  refuse(`This commit does not carry the tag v${version}: npm version makes it.`);
}
// Refuses a contract that an app of before could not use.
run('npm', ['run', '--silent', 'proto']);

const target = join(root, 'var', 'release', version);
const work = mkdtempSync(join(tmpdir(), 'bp-release-'));
try {
  const [first, second] = [build('first'), build('second')];
  const [sums, others] = [sumsOf(first), sumsOf(second)];
  if (sums !== others) throw new Error(`Two builds of one commit differ:\n${sums}\n${others}`);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, '..'), { recursive: true });
  for (const name of readdirSync(first).filter((file) => file.endsWith('.tgz'))) {
    writeFileSync(join(first, name.replace(/\.tgz$/, '.cdx.json')), billOf(join(first, name)));
  }
  writeFileSync(join(first, 'SHA256SUMS'), sumsOf(first));
  writeFileSync(join(first, 'NOTES.md'), notes);
  cpSync(first, target, { recursive: true });
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`${target}:`);
for (const name of readdirSync(target).sort()) console.log(`  ${name}`);

/** From a clone and the lock file alone, so that nothing of this folder gets in. */
function build(name: string): string {
  const [clone, made] = [join(work, name, 'source'), join(work, name, 'made')];
  mkdirSync(made, { recursive: true });
  console.error(`The ${name} build …`);
  run('git', ['clone', '--quiet', root, clone]);
  run('npm', ['ci', '--silent', '--ignore-scripts', '--prefer-offline', '--no-audit'], clone);
  run('npm', ['pack', '--silent', '--pack-destination', made], clone);
  run('npm', ['run', '--silent', 'pack:client'], clone);
  for (const file of readdirSync(clone).filter((file) => file.endsWith('.tgz'))) {
    renameSync(join(clone, file), join(made, file));
  }
  const image = join(made, `bp-analyser-image-context-${version}.tar`);
  run('git', ['archive', '--format=tar', '--output', image, 'HEAD'], clone);
  return made;
}

/** Of what somebody gets who installs the package. */
function billOf(tarball: string): string {
  // npm takes the name of what it describes from the folder.
  const folder = join(work, 'billed', basename(tarball, `-${version}.tgz`));
  mkdirSync(folder, { recursive: true });
  run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  const shipped = ['--package-lock-only', '--omit=dev'];
  run('npm', ['install', ...shipped, '--silent', '--prefer-offline', '--no-audit'], folder);
  return execFileSync('npm', ['sbom', ...shipped, '--sbom-format', 'cyclonedx'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** As sha256sum prints and checks them. */
function sumsOf(folder: string): string {
  const lines = readdirSync(folder)
    .sort()
    .map((name) => {
      const sum = createHash('sha256').update(readFileSync(join(folder, name)));
      return `${sum.digest('hex')}  ${name}\n`;
    });
  return lines.join('');
}

function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}

/** What they print goes to stderr: on stdout stands what was made. */
function run(program: string, args: string[], cwd = root): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 2, 2] });
}

function output(program: string, args: string[]): string {
  return execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim();
}
