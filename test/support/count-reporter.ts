import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends every run with one line that people and scripts read alike, after a line for whatever
 * failed. A file that could not be loaded and an error
 * outside any test count as failed.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    let passed = 0;
    const failures = errors.map((error) => `an error outside any test: ${firstLine(error)}`);
    for (const module of modules) {
      const before = failures.length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        if (result.state === 'failed') failures.push(`${name}: ${firstLine(result.errors[0])}`);
        if (result.state === 'passed') passed += 1;
      }
      if (failures.length === before && module.state() === 'failed') {
        failures.push(`${module.relativeModuleId}: ${firstLine(module.errors()[0])}`);
      }
    }
    for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
    process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
  }
}

function firstLine(error: SerializedError | undefined): string {
  return error?.message.split('\n')[0] ?? 'no message';
}
