import { Option } from 'commander';
import type { z } from 'zod';
import { AnalyserError } from '../base/errors.js';

/** The program passes the value on as APP_ANALYSER_CONFIG. */
export const config = new Option(
  '--config <file>',
  'the configuration; default APP_ANALYSER_CONFIG or ./config.yaml',
);

/** Checks the value of a flag by the rules for a value in config.yaml. */
export function valueOf<T>(flag: string, rules: z.ZodType<T>): (given: string) => T {
  return (given) => {
    const parsed = rules.safeParse(given);
    if (parsed.success) return parsed.data;
    const expected = parsed.error.issues[0]?.message;
    throw new AnalyserError('configuration', `${flag}: expected ${expected}, got "${given}".`);
  };
}
