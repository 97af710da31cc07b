import { z } from 'zod';
import { number, wholeNumber, wholeRange } from './values.js';

/** sharing.cohort_release: off while neither changed_pods nor epsilon is set. */
export const releaseSection = z
  .strictObject({
    changed_pods: wholeNumber(2, 1_000_000).nullable().default(null),
    epsilon: number(0.001, 100).nullable().default(null),
    every_days: wholeNumber(1, 3650).nullable().default(null),
    bounds: z
      .strictObject({
        systolic: wholeRange().default([80, 200]),
        diastolic: wholeRange().default([40, 120]),
        heart_rate: wholeRange().default([40, 120]),
      })
      .prefault({}),
    budget: number(0.003, 1000).nullable().default(null),
    per_days: wholeNumber(1, 36_500).default(365),
  })
  .prefault({});
