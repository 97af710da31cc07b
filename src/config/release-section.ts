import { z } from 'zod';
import type { ParsedFile } from './config-file.js';
import { describeProblem, valueAt } from './problems.js';
import { number, wholeNumber, wholeRange } from './values.js';

/** sharing.cohort_release: off while neither changed_pods nor epsilon is set. */
export const releaseSection = z
  .strictObject({
    changed_pods: wholeNumber(2, 1_000_000)
      .nullable()
      .default(null)
      .describe('Steps: cohort figures are replaced when so many Pods differ.'),
    epsilon: number(0.001, 100)
      .nullable()
      .default(null)
      .describe('Noise: how much one figure of one release may tell of a Pod.'),
    every_days: wholeNumber(1, 3650)
      .nullable()
      .default(null)
      .describe('Noise: days from one release to the next.'),
    bounds: z
      .strictObject({
        systolic: wholeRange().default([80, 200]),
        diastolic: wholeRange().default([40, 120]),
        heart_rate: wholeRange().default([40, 120]),
      })
      .prefault({})
      .describe('Noise: lowest and highest average that counts.'),
    budget: number(0.003, 1000)
      .nullable()
      .default(null)
      .describe('Noise: what all releases of per_days may spend; one spends 3 × epsilon.'),
    per_days: wholeNumber(1, 36_500)
      .default(365)
      .describe('The period of the budget, and for how long figures are compared with.'),
  })
  .prefault({});

const section = ['sharing', 'cohort_release'];
const ofNoise = ['every_days', 'bounds', 'budget'];

/** Apart from the schema, which checks nothing across keys while any other key is wrong. */
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

/** A section is written when any key in it is. */
function isWritten(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Array.isArray(value) || Object.values(value).some(isWritten);
}

/** 0.3 is three times 0.1. */
function isBelow(value: number, least: number): boolean {
  return value < least * (1 - 1e-12);
}
