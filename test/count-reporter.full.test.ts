import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startNode, waitForEnd } from './support/child-process.js';
import { newFolder } from './support/temp-folder.js';

const repository = fileURLToPath(new URL('../', import.meta.url));
const folder = await newFolder();

test('a run ends with the real count: a file that cannot be loaded and a stray error are failures', async () => {
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const head = `import { expect, test } from 'vitest';\n`;
  const files = {
    'mixed.test.ts': `${head}test('a', () => {}); test('b', () => {}); test('c', () => { expect(1).toBe(2); }); test.skip('d', () => {});`,
    'broken.test.ts': `throw new Error('not loaded');`,
    'stray.test.ts': `${head}test('e', async () => { void Promise.reject(new Error('stray')); await new Promise(setImmediate); });`,
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content);
  }
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const reporter = join(repository, 'test/support/count-reporter.ts');
  const run = ['run', `--root=${folder}`, `--reporter=${reporter}`];
  const { out, code } = await waitForEnd(startNode([vitest, ...run], { cwd: folder }));
  // a, b and e passed; c, the broken file and the stray error did not.
  expect(out.trimEnd().split('\n').at(-1)).toBe('3 passed, 3 failed');
  expect(code).toBe(1);
});
