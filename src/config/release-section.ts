import { z } from 'zod';
import { number, wholeNumber, wholeRange } from './values.js';

/** sharing.cohort_release: off while neither changed_pods nor epsilon is set. */
export const releaseSection = z
  .strictObject({
    changed_pods: wholeNumber(2, 1_000_000)
      .nullable()
      .default(null)
      .describe('Steps: how many Pods must differ before cohort figures are replaced.'),
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
