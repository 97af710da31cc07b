import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../', import.meta.url));

test('a run ends with the real count: a file that cannot be loaded and a stray error are failures', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'count-reporter-'));
  try {
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
    const child = spawn(
      process.execPath,
      [
        join(repository, 'node_modules/vitest/vitest.mjs'),
        'run',
        `--root=${folder}`,
        `--reporter=${join(repository, 'test/support/count-reporter.ts')}`,
      ],
      { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
    // a, b and e passed; c, the broken file and the stray error did not.
    expect(out.trimEnd().split('\n').at(-1)).toBe('3 passed, 3 failed');
    expect(child.exitCode).toBe(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
