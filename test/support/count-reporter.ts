import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends every run with one line that people and scripts read alike. A file that could not
 * be loaded and an error outside any test count as failed.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    let passed = 0;
    let failed = errors.length;
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      const states = tests.map((test) => test.result().state);
      passed += states.filter((state) => state === 'passed').length;
      const failedTests = states.filter((state) => state === 'failed').length;
      failed += failedTests === 0 && module.state() === 'failed' ? 1 : failedTests;
    }
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
}
