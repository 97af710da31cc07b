import { defineConfig } from 'vitest/config';

const exhaustive = '.full.test.ts';

/** `vitest run` leaves the exhaustive matrices out; `vitest run --mode full` runs only them. */
export default defineConfig(({ mode }) => {
  const full = mode === 'full';
  const testsBelow = (folder: string): string => `${folder}/**/*${full ? exhaustive : '.test.ts'}`;
  const common = {
    exclude: full ? [] : [`**/*${exhaustive}`],
    pool: 'forks' as const,
    // They share one storage server, which keeps a core busy by itself.
    maxWorkers: 2,
    // Worker threads load TypeScript the way the test files do.
    execArgv: ['--import', 'tsx'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  };
  return {
    test: {
      reporters: ['default', './test/support/count-reporter.ts'],
      projects: [
        // Pure files, tested beside the file: no server is started for them.
        { test: { ...common, name: 'unit', include: [testsBelow('src'), testsBelow('web')] } },
        {
          test: {
            ...common,
            name: 'behaviour',
            include: [testsBelow('test')],
            globalSetup: ['./test/support/shared-server.ts'],
          },
        },
      ],
    },
  };
});
