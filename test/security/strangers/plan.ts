import fc from 'fast-check';
import type { Access } from './storage.js';

/**
 * What happens in a history: what honest Pods do, always together, and the deeds of strangers. A deed
 * that is added here is performed in deeds.ts.
 */

type Made<By> = By extends fc.Arbitrary<infer T> ? T : never;

export const STRANGERS = 4;
/** The honest ones, the strangers and one that is nobody's. */
const PODS = 2 + STRANGERS + 1;

const small = fc.nat({ max: 5 });
const any = fc.nat({ max: 40 });
const stranger = fc.nat({ max: STRANGERS - 1 });
const access = fc.constantFrom<Access>(
  ...(['analyser', 'analyser', 'everybody', 'writable', 'analyser writes'] as const),
  ...(['untold', 'closed', 'silent', 'once', 'login refused', 'odd'] as const),
);

const key = fc.record({
  from: fc.constantFrom('random', 'an entry', 'their own'),
  index: any,
});
export type KeySource = Made<typeof key>;

/** An address in anybody's Pod. */
const place = fc.oneof(
  fc.record({ at: fc.constantFrom('file', 'missing', 'inner', 'long'), index: small }),
  fc.record({ at: fc.constantFrom('folder', 'outer folder', 'inner folder', 'every file') }),
);
export type Place = Made<typeof place>;

const kind = fc.constantFrom(
  ...(['own key', 'key of the folder', 'shared key', 'implausible'] as const),
  ...(['without heart rate', 'no reading', 'plaintext', 'page', 'empty'] as const),
);

const deed = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      deed: fc.constant('plant'),
      pod: fc.nat({ max: PODS - 1 }),
      place,
      key,
      spelling: fc.nat({ max: 3 }),
      id: fc.constantFrom('genuine', 'another'),
      times: fc.constantFrom(1, 1, 1, 1, 12, 90),
    }),
  },
  { weight: 3, arbitrary: fc.record({ deed: fc.constant('remove'), index: any }) },
  {
    weight: 2,
    arbitrary: fc.record({
      deed: fc.constantFrom('replace', 'add a key'),
      index: any,
      key,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      deed: fc.constant('file'),
      who: stranger,
      index: small,
      kind,
      value: fc.integer({ min: 4_000, max: 30_000 }),
      access,
      isShared: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      deed: fc.constant('access'),
      who: stranger,
      index: small,
      access,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      deed: fc.constant('folder'),
      who: stranger,
      access,
      isShared: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      deed: fc.constant('copy'),
      from: fc.nat({ max: 1 + STRANGERS }),
      who: stranger,
      index: small,
    }),
  },
  { weight: 1, arbitrary: fc.record({ deed: fc.constant('forget'), who: stranger }) },
  {
    weight: 1,
    arbitrary: fc.record({
      deed: fc.constant('keys to an honest Pod'),
      who: stranger,
      to: fc.nat({ max: 1 }),
    }),
  },
);
export type Deed = Made<typeof deed>;

/** The last two of `who`: run-once, and somebody who has no Pod. */
const call = fc.record({
  who: fc.nat({ max: PODS }),
  isStopped: fc.constantFrom(false, false, false, false, true),
});

/** Both honest Pods at once. */
const honest = fc.constantFrom(
  ...(['stay', 'stay', 'stay', 'stay', 'stay', 'all silent', 'half silent'] as const),
  ...(['rewrite with another key', 'take one back', 'take the folder back', 'forgotten'] as const),
  ...(['memory put back', 'leave'] as const),
);
export type HonestEvent = Made<typeof honest>;

/** In hundredths, with as many digits each. */
const value = fc.integer({ min: 10_000, max: 19_999 });
const pair = fc.tuple(value, value);

const step = fc.record({
  deeds: fc.array(deed, { maxLength: 5 }),
  calls: fc.array(call, { minLength: 1, maxLength: 4 }),
  days: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 2 }) },
    { weight: 1, arbitrary: fc.integer({ min: -3, max: 40 }) },
  ),
  honest,
  /** Whether strangers come after what happens to the honest Pods. */
  areHonestFirst: fc.boolean(),
  /** What each honest Pod records before the analysis. */
  recorded: fc.option(pair),
  isUnkept: fc.constantFrom(false, false, false, false, false, true),
  /** How many addresses that were not read before there is time for; null without a limit. */
  reached: fc.option(fc.nat({ max: 8 }), { freq: 3 }),
  /** Whether the inbox cannot be read; only where strangers can use up the time as well. */
  isSpoilt: fc.constantFrom(false, false, false, false, true),
  isConfirmed: fc.boolean(),
});

export const plans = fc.record({
  /** Whether strangers can use up the time of an analysis. */
  isShort: fc.boolean(),
  /**
   * Whether honest Pods share each file by itself, their folder, or both, of some files even with one key. With `named`
   * each file is shared by itself, and takes its key from the folder.
   */
  layout: fc.constantFrom('files', 'named', 'folder', 'both'),
  /** Who may list the folder of files that are shared one by one; `everybody` also of one that is shared. */
  listing: fc.constantFrom<Access>('closed', 'everybody', 'writable'),
  /** Whether files in the folder and further in have the key of another one, and say so if this one does. */
  isNested: fc.boolean(),
  /** Whether everybody may read the honest Pods' ciphertexts. */
  isPublic: fc.boolean(),
  /** Whether the Analyser may write to their files, and so perhaps others. */
  mayWrite: fc.boolean(),
  hasHeartRate: fc.boolean(),
  sharing: fc.constantFrom(
    {},
    {},
    { minimum_cohort_pods: 3 },
    { cohort_release: { epsilon: 1, every_days: 1, budget: 12, per_days: 30 } },
    { share_cohort_average: false },
  ),
  analysis: fc.constantFrom(
    {},
    { minimum_observations: 2 },
    { window_days: 60 },
    // Of the days of a history.
    { from: '2024-10-05', until: '2024-11-15T12:00:00Z' },
  ),
  first: fc.array(pair, { minLength: 2, maxLength: 4 }),
  steps: fc.array(step, { minLength: 1, maxLength: 9 }),
});

export type Plan = Made<typeof plans>;
export type Step = Plan['steps'][number];
