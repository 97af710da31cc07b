import { isSection, number, section, wholeNumber, wholeRange } from './values.js';

const ofNoise = ['every_days', 'bounds', 'budget'] as const;

/** The section sharing.cohort_release. There is a release only if epsilon is set. */
export const releaseSection = section({
  epsilon: number(0.001, 100).optional(),
  every_days: wholeNumber(1, 3650).optional(),
  bounds: section({
    systolic: wholeRange().optional(),
    diastolic: wholeRange().optional(),
    heart_rate: wholeRange().optional(),
  }).optional(),
  budget: number(0.003, 1000).optional(),
  per_days: wholeNumber(1, 36_500).optional(),
})
  .superRefine((written, context) => {
    const isSet = (key: keyof typeof written) => isWritten(written[key]);
    const expect = (key: string, message: string) =>
      context.addIssue({ code: 'custom', path: [key], message });
    const { epsilon, budget } = written;
    if (isSet('epsilon')) {
      for (const key of ['every_days', 'budget'] as const) {
        if (!isSet(key)) expect(key, 'a number, because epsilon is set');
      }
      if (epsilon !== undefined && budget !== undefined && isBelow(budget, 3 * epsilon)) {
        expect('budget', 'at least 3 × epsilon, which is what one release spends');
      }
    } else {
      const alone = ([...ofNoise, 'per_days'] as const).find(isSet);
      if (alone !== undefined) {
        expect(alone, 'epsilon beside it, which says how figures are released');
      }
    }
  }, isSection)
  // Defaults are added only here: the checks above would take a default for a key that is written in the file.
  .transform(
    ({
      epsilon,
      every_days,
      bounds: { systolic, diastolic, heart_rate } = {},
      budget,
      per_days,
    }) => ({
      epsilon: epsilon ?? null,
      every_days: every_days ?? null,
      bounds: {
        systolic: systolic ?? [80, 200],
        diastolic: diastolic ?? [40, 120],
        heart_rate: heart_rate ?? [40, 120],
      },
      budget: budget ?? null,
      per_days: per_days ?? 365,
    }),
  )
  .prefault({});

/** Whether a key, or any key of a section, is written in the file. */
function isWritten(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Array.isArray(value) || Object.values(value).some(isWritten);
}

/** Compares with a tolerance: in floating-point numbers, 0.3 is below three times 0.1. */
function isBelow(value: number, least: number): boolean {
  return value < least * (1 - 1e-12);
}
