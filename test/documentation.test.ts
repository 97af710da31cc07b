import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { AnalyserError } from '../src/base/errors.js';
import { exitCodeOf } from '../src/cli/exit-codes.js';
import { kindsOfCodes } from '../src/client/client-error.js';
import { listKeys } from './support/config-keys.js';
import { modes } from './support/modes.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const pages = ['', 'docs'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, folder, name)),
);
const read = (path: string) => readFileSync(path, 'utf8');

/** As GitHub makes them: lower case, without marks, blanks as hyphens. */
function anchorsOf(page: string): Set<string> {
  const titles = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test.each(pages.map((page) => relative(root, page)))('every link of %s leads somewhere', (name) => {
  const page = join(root, name);
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).has(anchor));
  });
  expect(broken).toEqual([]);
});

/** All files of the sources, the tests and the rest, each with a slash in front. */
const files = ['bench', 'deploy', 'proto', 'scripts', 'src', 'test', 'tools', 'web']
  .flatMap((folder) => list(join(root, folder)))
  .map((path) => `/${relative(root, path)}`);

function list(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? list(path) : [path];
  });
}

test.each(pages.map((page) => relative(root, page)))(
  'every file that %s names is there',
  (name) => {
    // Also within a command; but what is installed is there only after `npm run tools`.
    const paths =
      /[` ](?!tools\/node_modules\/)((?:src|test|web|bench|deploy|scripts|tools|proto)\/[\w./@-]+\.\w+)/g;
    const named = [...read(join(root, name)).matchAll(paths)].map(([, path = '']) => path);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    // Also a name alone, or with a part of its folder, as after the first file of a row.
    const names = [...read(join(root, name)).matchAll(/`(\w[\w./-]*\.tsx?)`/g)];
    const missing = names
      .map(([, path = '']) => path)
      .filter((path) => !files.some((file) => file.endsWith(`/${path}`)));
    expect(missing).toEqual([]);
  },
);

test('the keys and modes that the guides name exist', () => {
  const keys = new Set(listKeys().map((path) => path.join('.')));
  const sections = new Set(listKeys().map(([section]) => section));
  const named = new RegExp(`\`((?:${[...sections].join('|')})\\.[a-z_.]+)(?::[^\`]*)?\``, 'g');
  for (const page of pages) {
    const unknown = [...read(page).matchAll(named)]
      .map(([, key = '']) => key)
      .filter((key) => !keys.has(key) && ![...keys].some((other) => other.startsWith(`${key}.`)));
    expect({ page: relative(root, page), unknown }).toEqual({
      page: relative(root, page),
      unknown: [],
    });
  }
  const words = new Set(modes.flatMap(({ name }) => [name, name.split(' ')[0]]));
  const called = pages.flatMap((page) => [...read(page).matchAll(/\.\/run\.sh ([a-z][a-z-]*)/g)]);
  expect(called.map(([, mode]) => mode).filter((mode) => !words.has(mode ?? ''))).toEqual([]);
});

test('the guide for app developers has every code of the client, with its exit code', () => {
  const guide = read(join(root, 'docs/app-developers.md'));
  const rows = [...guide.matchAll(/^\| `([a-z-]+)` \| .+ \| (\d) \|$/gm)];
  const exits = Object.entries(kindsOfCodes).map(([code, kind]) => [
    code,
    exitCodeOf(new AnalyserError(kind, 'A failure.')),
  ]);
  expect(Object.fromEntries(rows.map(([, code, exit]) => [code, Number(exit)]))).toEqual(
    Object.fromEntries(exits),
  );
});
