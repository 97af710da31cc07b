import fc from 'fast-check';
import type { Layout } from './people/person.js';

/** What happens in a history. Everything is drawn from a seed, and nothing else is random. */

type Made<By> = By extends fc.Arbitrary<infer T> ? T : never;

export const PEOPLE = 4;
const person = fc.nat({ max: PEOPLE - 1 });

interface Sharing {
  minimum_cohort_pods?: number;
  share_cohort_average?: boolean;
  cohort_release?: { epsilon: number; every_days: number; budget: number; per_days: number };
}

const release = { epsilon: 100, every_days: 1, budget: 900, per_days: 365 };
const sharing = fc.constantFrom<Sharing>(
  ...[{}, {}, {}, { minimum_cohort_pods: 3 }, { share_cohort_average: false }],
  { cohort_release: release },
);

/** In hundredths. */
const value = (min: number, max: number) =>
  fc.integer({ min: min * 100, max: max * 100 }).map((hundredths) => hundredths / 100);
const reading = fc.record({
  systolic: value(90, 190),
  diastolic: value(50, 110),
  heart_rate: fc.option(value(45, 120), { freq: 5 }),
});
const readings = fc.array(reading, { minLength: 1, maxLength: 3 });

const act = fc.record({
  who: person,
  act: fc.constantFrom('record', 'record', 'rewrite', 'take back'),
  index: fc.nat({ max: 4 }),
  readings,
});
export type Act = Made<typeof act>;

/** What anybody can do to anybody, with the rights that a server gives to everybody. A deed is performed in strangers.ts. */
const deed = fc.record({
  deed: fc.constantFrom(
    ...(['plant', 'plant', 'plant', 'remove', 'replace a key', 'add a key'] as const),
    ...(['copy', 'share rubbish', 'spoil an inbox', 'write into a log', 'leave a file'] as const),
  ),
  who: person,
  index: fc.nat({ max: 5 }),
  place: fc.constantFrom('file', 'missing', 'folder', 'inner folder', 'private'),
  key: fc.constantFrom('random', 'copied'),
  isGenuine: fc.boolean(),
  times: fc.constantFrom(1, 1, 1, 12),
});
export type Deed = Made<typeof deed>;

/** Some requests matter more than others, and a number alone would seldom hit them. */
export const targets = {
  'the memory': /^PUT .*\/analyser\/memory\.txt$/,
  'an own document': /^PUT .*\/bp-average\.json\.enc\.ttl$/,
  'the document of the cohort': /^PUT .*\/bp-cohort-average\.json\.enc\.ttl$/,
  'rules of access': /^PUT .*\.acl$/,
  'a key': /^PATCH .*\/shared-keys\.ttl$/,
  'a line': /^PATCH .*\/permissions-log\.ttl$/,
  'a file': /^GET .*\/blood_pressure\/./,
  'the key of a document': /^PATCH .*\/ind-keys\.ttl$/,
  'the keys of documents': /^GET .*\/ind-keys\.ttl$/,
  'the inbox': /^GET https:\/\/pods\.example\/analyser\/.*\/shared-keys\.ttl$/,
  'an inbox': /^GET .*\/shared-keys\.ttl$/,
  'another server': /^\w+ https:\/\/elsewhere\./,
} as const;
export type Target = keyof typeof targets;
const target = fc.constantFrom<Target>(
  ...(['the memory', 'an own document', 'the document of the cohort', 'rules of access'] as const),
  ...(['a key', 'a line', 'a file', 'a file', 'a file', 'the key of a document'] as const),
  ...(['another server'] as const),
  ...(['the keys of documents', 'the inbox', 'an inbox'] as const),
);

/** `at`: which of the distinct requests of the analysis it meets, or which of a kind. `times`: how many tries of it. */
const fault = fc.record({
  at: fc.oneof(fc.nat({ max: 60 }), fc.record({ target, who: person })),
  kind: fc.constantFrom(
    ...(['lost', 'lost after', '500', '503', '429', 'slow', 'slow after'] as const),
    ...(['403', '404', '401', '507', 'page'] as const),
  ),
  times: fc.constantFrom(1, 2, 1_000, 1_000),
});
export type Fault = Made<typeof fault>;

/** The process ends in the middle of a request, before or after it took effect, or of a change of the disk. */
const crash = fc.oneof(
  fc.record({
    at: fc.constant('request'),
    number: fc.nat({ max: 90 }),
    isAfter: fc.boolean(),
  }),
  fc.record({ at: fc.constant('change'), number: fc.nat({ max: 60 }) }),
);

const noTrouble: { faults: Fault[]; crash: null } = { faults: [], crash: null };
const trouble = fc.oneof(
  { weight: 3, arbitrary: fc.constant(noTrouble) },
  {
    weight: 2,
    arbitrary: fc.record({
      faults: fc.array(fault, { minLength: 1, maxLength: 4 }),
      crash: fc.constant(null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ faults: fc.array(fault, { maxLength: 1 }), crash }) },
);

/** The disk has no room for so many files, from a change on or from the first files of a kind on. */
const disk = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  {
    weight: 2,
    arbitrary: fc.record({
      from: fc.oneof(
        fc.nat({ max: 40 }),
        fc.record({
          file: fc.constantFrom(
            ...(['run-', 'latest.json', 'analyses.jsonl', 'memory.json', '.png'] as const),
          ),
          number: person,
        }),
      ),
      times: fc.constantFrom(1, 2, 4, 1_000),
    }),
  },
);

const step = fc.record({
  hours: fc.integer({ min: 1, max: 60 }),
  before: fc.oneof(
    { weight: 4, arbitrary: fc.constant('nothing') },
    { weight: 3, arbitrary: fc.constantFrom('restart', 'lose var', 'memory back') },
  ),
  /** What the operator configures before a restart. */
  sharing,
  /** Whom the operator erases. */
  erased: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: person }),
  acts: fc.array(act, { maxLength: 3 }),
  deeds: fc.oneof(fc.constant<Deed[]>([]), fc.array(deed, { minLength: 1, maxLength: 4 })),
  /** The last is somebody who shares nothing; nobody means run-once. */
  callers: fc.oneof(
    { weight: 9, arbitrary: fc.array(fc.nat({ max: PEOPLE }), { minLength: 1, maxLength: 5 }) },
    { weight: 1, arbitrary: fc.constant<number[]>([]) },
  ),
  /** Before which request which call is cancelled. */
  cancels: fc.array(fc.record({ call: fc.nat({ max: 4 }), at: fc.nat({ max: 70 }) }), {
    maxLength: 2,
  }),
  trouble,
  disk,
  /** How many seconds the login takes. */
  login: fc.constantFrom(0, 0, 0, 10),
  /** Whether answers and changes of the disk come at once, or each in its own time. */
  jitter: fc.oneof(fc.constant(null), fc.nat({ max: 1_000 })),
});
export type Step = Made<typeof step>;

export const plans = fc.record({
  layouts: fc.array(fc.constantFrom<Layout>('files', 'folder', 'alone'), {
    minLength: PEOPLE,
    maxLength: PEOPLE,
  }),
  /** Whether the last has a Pod on another server. */
  isElsewhere: fc.boolean(),
  sharing,
  analysis: fc.constantFrom({}, {}, { minimum_observations: 3 }),
  timeout: fc.constantFrom(300, 300, 40),
  /** How many requests the Analyser makes of a server at a time: with one, a slow file leaves others unasked. */
  atOnce: fc.constantFrom(16, 16, 1),
  first: fc.array(fc.array(readings, { maxLength: 3 }), { minLength: PEOPLE, maxLength: PEOPLE }),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
});
export type Plan = Made<typeof plans>;

/** An analysis for everybody in which nothing happens. */
export const quiet: Step = {
  hours: 1,
  before: 'nothing',
  sharing: {},
  erased: null,
  acts: [],
  deeds: [],
  callers: Array.from({ length: PEOPLE + 1 }, (_, index) => index),
  cancels: [],
  trouble: noTrouble,
  disk: null,
  login: 0,
  jitter: null,
};
