import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keptFaults } from './kept-faults.js';
import { readSource, repository, testsByRule } from './read-rules.js';

const tests = testsByRule();
/** A copy, so that nobody finds a fault in their files. */
const folder = mkdtempSync(join(tmpdir(), 'kept-faults-'));
const isCopied = (path: string) =>
  !/\/(node_modules|\.git|var|dist)(\/|$)/.test(path.slice(repository.length - 1));
cpSync(repository, folder, { recursive: true, filter: isCopied });
symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
afterAll(() => rmSync(folder, { recursive: true }));

/** How many tests of the rule passed and failed. */
async function testsOf(rule: string): Promise<{ passed: number; failed: number }> {
  const files = tests.get(rule) ?? [];
  const isFull = files.every((file) => file.endsWith('.full.test.ts'));
  const title = `\\[${rule.replace('.', '\\.')}\\]`;
  const args = ['vitest', 'run', ...(isFull ? ['--mode', 'full'] : []), ...files, '-t', title];
  const stdout = await new Promise<string>((resolve) => {
    execFile('npx', args, { cwd: folder, maxBuffer: 2 ** 26 }, (_error, text) => resolve(text));
  });
  const [, passed = 0, failed = 0] = /^(\d+) passed, (\d+) failed$/m.exec(stdout) ?? [];
  return { passed: Number(passed), failed: Number(failed) };
}

test.each(keptFaults)(
  'the fault of $rule in $file is noticed',
  { timeout: 600_000 },
  async ({ rule, file, before, after }) => {
    const source = readSource(file);
    writeFileSync(
      join(folder, file),
      source.replace(before, () => after),
    );
    try {
      expect((await testsOf(rule)).failed).toBeGreaterThan(0);
    } finally {
      writeFileSync(join(folder, file), source);
    }
  },
);

test('without a fault the tests of all rules pass', { timeout: 1_800_000 }, async () => {
  const outcomes = new Map<string, unknown>();
  for (const rule of tests.keys()) {
    const { passed, failed } = await testsOf(rule);
    if (passed === 0 || failed > 0) outcomes.set(rule, { passed, failed });
  }
  expect(outcomes).toEqual(new Map());
});
