import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Worker threads load TypeScript the way the test files do.
    execArgv: ['--import', 'tsx'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
