/**
 * Writes src/generated from proto/: the messages and the services. With --check it writes elsewhere and compares.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** buf and what it generates with; `npm run tools` installs them. */
const tools = resolve('tools/node_modules/.bin');
const committed = 'src/generated';

function generate(into: string): void {
  execFileSync(
    join(tools, 'buf'),
    ['generate', 'proto', '--template', 'proto/buf.gen.yaml', '--output', into],
    {
      stdio: 'inherit',
      env: { ...process.env, PATH: `${tools}${delimiter}${process.env['PATH'] ?? ''}` },
    },
  );
}

function readTree(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name))
      .map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
  );
}

function check(): void {
  const folder = mkdtempSync(join(tmpdir(), 'generated-'));
  try {
    generate(folder);
    const expected = readTree(folder);
    const found = readTree(committed);
    const names = new Set([...expected.keys(), ...found.keys()]);
    const differing = [...names].filter((name) => expected.get(name) !== found.get(name));
    if (differing.length === 0) return;
    console.error(`${committed} is not what proto/ generates: ${differing.join(', ')}.`);
    console.error('Run "npm run generate" and commit the result.');
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv.includes('--check')) {
  check();
} else {
  rmSync(committed, { recursive: true, force: true });
  generate(committed);
}
