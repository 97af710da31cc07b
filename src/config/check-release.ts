import type { ParsedFile } from './config-file.js';
import { describeProblem, valueAt } from './problems.js';

const section = ['sharing', 'cohort_release'];
const ofNoise = ['every_days', 'bounds', 'budget'];

/** Outside the schema, which skips checks across keys while any other key is wrong. */
export function checkRelease(file: ParsedFile): string[] {
  const get = (key: string) => valueAt(file.value, [...section, key]);
  const problem = (key: string, expected: string) =>
    describeProblem(file, [...section, key], expected, get(key));
  const isSet = (key: string) => isWritten(get(key));

  if (isSet('changed_pods') && isSet('epsilon')) {
    return [
      problem('epsilon', 'nothing, because changed_pods is set: a release is one or the other'),
    ];
  }
  if (isSet('changed_pods')) {
    return ofNoise
      .filter(isSet)
      .map((key) => problem(key, 'nothing, because it belongs to epsilon and changed_pods is set'));
  }
  if (isSet('epsilon')) {
    const missing = ['every_days', 'budget']
      .filter((key) => !isSet(key))
      .map((key) => problem(key, 'a number, because epsilon is set'));
    const [epsilon, budget] = [get('epsilon'), get('budget')];
    if (typeof epsilon === 'number' && typeof budget === 'number' && isBelow(budget, 3 * epsilon)) {
      missing.push(problem('budget', 'at least 3 × epsilon, which is what one release spends'));
    }
    return missing;
  }
  const alone = [...ofNoise, 'per_days'].find(isSet);
  return alone === undefined
    ? []
    : [problem(alone, 'changed_pods or epsilon beside it, which say how figures are released')];
}

/** Whether a key, or any key of a section, is written in the file. */
function isWritten(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Array.isArray(value) || Object.values(value).some(isWritten);
}

/** With a tolerance, so that 0.3 is not below three times 0.1. */
function isBelow(value: number, least: number): boolean {
  return value < least * (1 - 1e-12);
}
