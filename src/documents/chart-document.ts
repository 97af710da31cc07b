import { z } from 'zod';
import { documentParts } from './results-document.js';

const { count, figures, period } = documentParts;

const at = z.number();

/** Null where the reading lacks the measure. */
const reading = z.object({ at, ...figures.shape });

/** Null if no reading is near; the line has a gap there. */
const mean = z.object({ mean: z.number(), low: z.number(), high: z.number() }).nullable();
const rollingMean = z.object({ at, systolic: mean, diastolic: mean, heart_rate: mean });

const common = {
  schema_version: z.literal(1),
  positions: z
    .enum(['time', 'order'])
    .describe(
      'What `at` is: what the clock of the reading showed, in milliseconds since the epoch as if it were UTC, or the number of the reading.',
    ),
  reading_count: count.describe('Of all readings, those that are not drawn among them.'),
  undated_count: count.describe('Readings without a date, not drawn beside those that have one.'),
  home: z
    .object({ from: at, to: at })
    .optional()
    .describe('The first and the last reading of the home average; absent where there is none.'),
  period: period.optional(),
  own: figures.describe('The dashed lines.'),
  cohort: figures.describe('The dotted lines; null where the caller is not told.'),
};

/** The figures that the picture of a Pod draws; its points go from left to right. */
export const chartDocumentSchema = z.discriminatedUnion('drawn', [
  z.object({ ...common, drawn: z.literal('readings'), points: z.array(reading) }),
  z.object({ ...common, drawn: z.literal('rolling_mean'), points: z.array(rollingMean) }),
]);
export type ChartDocument = z.infer<typeof chartDocumentSchema>;
export type ReadingPoint = z.infer<typeof reading>;
export type MeanPoint = z.infer<typeof rollingMean>;
