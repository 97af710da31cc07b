import { type Plan, quiet, type Step } from './plan.js';

const reading = { systolic: 120, diastolic: 80, heart_rate: 60 };

function plan(steps: readonly Partial<Step>[], change: Partial<Plan> = {}): Plan {
  return {
    layouts: ['files', 'files', 'folder', 'files'],
    isElsewhere: false,
    sharing: {},
    analysis: {},
    timeout: 300,
    first: [[[reading]], [[reading]], [[reading]], [[reading]]],
    steps: steps.map((step) => ({ ...quiet, ...step })),
    ...change,
  };
}

/** Histories that failed once, or that must not be left to chance. */
export const examples: Record<string, Plan> = {
  'a key that a reader has is not handed over again': plan([{}, {}]),
};
