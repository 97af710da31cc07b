import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../', import.meta.url));

const planted = `
const noted = new Set<string>();
function note(text: string): void {
  noted.add(text);
}
export const MOST = 10;
export function isFew(count: number): boolean {
  note('asked');
  note('answered');
  return count < MOST;
}
export function sumTo(last: number): number {
  let sum = 0;
  for (let each = 1; each <= last; each++) sum += each;
  return sum;
}
export function isOdd(count: number): boolean {
  return count % 2 === 1;
}
`;

/** It tries neither the bound itself nor the notes, and asks nothing of isOdd. */
const itsTest = `
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isFew, sumTo } from './planted.js';
test('few', () => {
  expect(isFew(9)).toBe(true);
  expect(isFew(11)).toBe(false);
});
test('a sum, late', async () => {
  await setTimeout(350);
  expect(sumTo(4)).toBe(10);
});
`;

const alsoPlanted = `
import { setTimeout } from 'node:timers/promises';
let isBusy = false;
export async function alone(work: () => void): Promise<void> {
  while (isBusy) await setTimeout(1);
  isBusy = true;
  work();
  isBusy = false;
}
`;

/** Without its last line, or when it is busy from the start, a test waits for ever. */
const itsTests = `
import { expect, test } from 'vitest';
import { alone } from './alone.js';
test.each(['one', 'another'])('%s is done', async (name) => {
  const done = [];
  await alone(() => void done.push(name));
  expect(done).toEqual([name]);
});
`;

const ofOneTime = `
import { expect, test } from 'vitest';
import { isNew } from './one-time.js';
test('new', () => expect(isNew()).toBe(true));
`;

let folder: string;
let printed: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'planted-'));
  await mkdir(path.join(folder, 'src'));
  await writeFile(path.join(folder, 'src/planted.ts'), planted);
  await writeFile(path.join(folder, 'src/planted.test.ts'), itsTest);
  await writeFile(path.join(folder, 'src/alone.ts'), alsoPlanted);
  await writeFile(path.join(folder, 'src/alone.test.ts'), itsTests);
  const oneTime = 'let asked = 0;\nexport function isNew() { return ++asked < 2; }';
  await writeFile(path.join(folder, 'src/one-time.ts'), oneTime);
  await writeFile(path.join(folder, 'src/one-time.test.ts'), ofOneTime);
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  const main = path.join(repository, 'tools/mutation/main.ts');
  const args = ['--import', 'tsx', main, 'src'];
  printed = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => resolve(stdout));
  });
});
afterAll(() => rm(folder, { recursive: true }));

/** The faults that were left, as \`how: before → after\`. */
function left(): string[] {
  const lines = printed.split('\n').filter((line) => line.startsWith('  src/planted.ts:'));
  return lines.map((line) => line.replace(/^ {2}\S+ (.*?) \w+: (.*)$/, '$1: $2'));
}

test('a bound that no test tries, and calls that nobody would miss, survive; nothing else does', () => {
  expect(left().filter((fault) => fault.startsWith('survived'))).toEqual([
    'survived: { noted.add(text); } → {}',
    "survived: note('asked'); → {}",
    "survived: note('answered'); → {}",
    'survived: count < MOST → count <= MOST',
  ]);
});

test('what no test asks is named as such', () => {
  const missed = left().filter((fault) => fault.startsWith('not reached'));
  expect(missed).toContain('not reached: count % 2 === 1 → count % 2 !== 1');
  expect(missed.every((fault) => fault.includes('count % 2'))).toBe(true);
});

test('a loop that never ends, and a fault that only a slow test sees, are noticed', () => {
  expect(printed).not.toContain('each++');
  expect(printed).not.toContain('sum += each');
});

test('of a folder each file is tried, and a test that waits for ever is ended, whatever left it so', () => {
  expect(printed).toMatch(/^src\/alone\.ts: 8 faults, 5 noticed/m);
  expect(printed).toMatch(/^src\/planted\.ts: /m);
  expect(printed).not.toContain('.test.ts: ');
});

test('a test that passes only once notices nothing, and is named alone', () => {
  expect(printed).toMatch(/^src\/one-time\.ts: \d+ faults, 0 noticed/m);
  const named = printed.split('\n').filter((line) => line.startsWith('cannot be relied on'));
  expect(named).toEqual(['cannot be relied on: src/one-time.test.ts > new passes only once']);
});
