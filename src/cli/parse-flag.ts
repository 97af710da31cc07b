import type { z } from 'zod';
import { AnalyserError } from '../base/errors.js';
import { wholeNumber } from '../config/values.js';

/** Holds what was given with a flag to the rules for a value of config.yaml. */
export function parseFlag<T>(flag: string, given: string | number, rules: z.ZodType<T>): T {
  const parsed = rules.safeParse(given);
  if (parsed.success) return parsed.data;
  const expected = parsed.error.issues[0]?.message;
  throw new AnalyserError('configuration', `${flag}: expected ${expected}, got "${given}".`);
}

export function parseNumberFlag(
  flag: string,
  given: string | undefined,
  lowest: number,
  highest: number,
): number | undefined {
  if (given === undefined) return undefined;
  return parseFlag(flag, /^\d+$/.test(given) ? Number(given) : given, wholeNumber(lowest, highest));
}
