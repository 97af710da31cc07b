import { type Act, type Fault, type Plan, quiet, type Step, type Target } from './plan.js';

const reading = { systolic: 120, diastolic: 80, heart_rate: 60 };

function plan(steps: readonly Partial<Step>[], change: Partial<Plan> = {}): Plan {
  return {
    layouts: ['files', 'files', 'folder', 'files'],
    isElsewhere: false,
    sharing: {},
    analysis: {},
    timeout: 300,
    atOnce: 16,
    first: [[[reading]], [[reading]], [[reading]], [[reading]]],
    steps: steps.map((step) => ({ ...quiet, ...step })),
    ...change,
  };
}

function meeting(target: Target, who: number, kind: Fault['kind']): Partial<Step> {
  return { trouble: { faults: [{ at: { target, who }, kind, times: 1_000 }], crash: null } };
}

const act = (what: Act['act']): Act => ({ who: 0, act: what, index: 0, readings: [reading] });

/** Histories that failed once, or that chance seldom meets. All but one person at most have a result in each analysis. */
export const examples: Record<string, Plan> = {
  '[7.8] ind-keys.ttl is said not to be there although it is: each entry is made once': plan([
    meeting('the keys of documents', 0, '404'),
  ]),
  '[7.4][7.8] an inbox is said not to be there although it is: each key is handed over once': plan([
    {},
    meeting('an inbox', 1, '404'),
  ]),
  '[4.16] a slow login counts in the time: a file that hangs costs the others nothing': plan(
    [{}, { ...meeting('a file', 3, 'slow'), login: 10 }],
    { timeout: 40 },
  ),
  '[8.3] who is erased stands in no run, where their own document could not be written either':
    plan([meeting('an own document', 0, 'lost'), { erased: 0 }]),
  '[6.2] what could not be remembered is told in no document and no picture': plan([
    {},
    { ...meeting('the memory', 0, '500'), acts: [act('record')] },
  ]),
  '[5.2] what was taken back counts no longer, although the rest of its Pod is silent': plan(
    [{}, { ...meeting('a file', 3, '503'), acts: [act('take back')] }],
    { first: [[[reading], [reading]], [[reading]], [[reading]], [[reading]]] },
  ),
  '[5.3] after a withdrawal nobody counts with a part while the inbox cannot be read': plan(
    [{}, { ...meeting('the inbox', 0, '500'), acts: [act('take back'), act('record')] }],
    { first: [[[reading], [reading]], [[reading]], [[reading]], [[reading]]] },
  ),
};
