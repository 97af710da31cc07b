import { defineConfig } from 'vitest/config';

/** By mode: what is exhaustive, and what takes a quarter of an hour or a machine of its own. */
const endings = new Map([
  ['full', '.full.test.ts'],
  ['long', '.long.test.ts'],
]);

/** `vitest run` leaves both out; `vitest run --mode full` and `--mode long` run only the one. */
export default defineConfig(({ mode }) => {
  const chosen = endings.get(mode);
  const ending = chosen ?? '.test.ts';
  const testsBelow = (folder: string): string => `${folder}/**/*${ending}`;
  const common = {
    exclude: chosen === undefined ? [...endings.values()].map((ending) => `**/*${ending}`) : [],
    pool: 'forks' as const,
    // Loading the sources anew for each file took a third of the time; they keep next to nothing in modules.
    isolate: false,
    // Half of the time a test waits, for a storage server or for what gives no answer; the exhaustive ones wait more.
    maxWorkers: chosen === undefined ? 4 : 5,
    // Worker threads load TypeScript the way the test files do.
    execArgv: ['--import', 'tsx'],
    // The exhaustive ones keep both cores busy, so each takes longer.
    testTimeout: chosen === undefined ? 60_000 : 180_000,
    // They make the Pods, which a busy server takes long for.
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  };
  return {
    test: {
      reporters: ['default', './test/support/count-reporter.ts'],
      projects: [
        // Pure files, tested beside the file: no server is started for them.
        {
          test: {
            ...common,
            name: 'unit',
            include: [testsBelow('src'), `tools/{,mutation/}*${ending}`],
          },
        },
        {
          test: {
            ...common,
            name: 'behaviour',
            include: [testsBelow('test')],
            setupFiles: ['./test/support/each-file.ts'],
            globalSetup: [
              './test/support/shared-server.ts',
              './test/support/key-pairs.ts',
              './test/support/compiled-sources.ts',
            ],
          },
        },
      ],
    },
  };
});
