import type { Deed, HonestEvent, Plan, Step } from './plan.js';

/** Histories that failed once, or did without the rule that they are about, cut down. */
export const examples: readonly Plan[] = [
  // An entry for the folder of files that were shared one by one: one further in had the key of another.
  history({ isNested: true, deeds: [[plant({ place: { at: 'folder' } })]] }),
  // The same for files that take its key, which everybody may list, or into which others may write.
  history({
    layout: 'named',
    isNested: true,
    listing: 'everybody',
    deeds: [[plant({ place: { at: 'folder' } })]],
  }),
  history({ layout: 'named', listing: 'writable', deeds: [[plant({ place: { at: 'folder' } })]] }),
  // The entry of a file that has the key of its shared folder and to which others may write: its own key was forgotten.
  history({ layout: 'both', mayWrite: true, deeds: [[], [{ deed: 'remove', index: 4 }]] }),
  // An entry with the key of the shared folder for a file in it to which others may write: the key passed for its own.
  history({
    layout: 'folder',
    isNested: true,
    mayWrite: true,
    deeds: [[plant({ place: { at: 'file', index: 0 }, key: { from: 'an entry', index: 0 } })], []],
  }),
  // The key of a file in the entry of its folder: the folder was remembered by that key, and the file by none.
  history({
    layout: 'both',
    deeds: [[{ deed: 'add a key', index: 0, key: { from: 'an entry', index: 2 } }]],
  }),
  // An entry for a folder that everybody may list, with the key of a file in it, after files with one key were read: the
  // one further in counted no more once the folder was remembered.
  history({
    isNested: true,
    listing: 'everybody',
    deeds: [[], [plant({ place: { at: 'folder' }, key: { from: 'an entry', index: 0 } })], []],
  }),
  // The same in a folder that others may write to: of files with one key, one alone counted.
  history({
    isNested: true,
    listing: 'writable',
    deeds: [[], [plant({ place: { at: 'folder' } })]],
  }),
  // An entry for each file of a shared folder, with its key, all taken away again before a new reading.
  history({
    layout: 'folder',
    deeds: [
      [],
      [
        plant({ place: { at: 'every file' }, key: { from: 'an entry', index: 0 } }),
        plant({ place: { at: 'every file' }, key: { from: 'an entry', index: 0 }, id: 'another' }),
      ],
      Array.from({ length: 4 }, (): Deed => ({ deed: 'remove', index: 2 })),
      [],
    ],
  }),
  // Ninety addresses in somebody's Pod of which the server gives no answer.
  history({ deeds: [[], [plant({ place: { at: 'long', index: 0 }, times: 90 })], [], []] }),
  // A folder gets another key, which is copied into an entry for each of its files, and the key of a file into that of the
  // folder; then the folder's entry is removed: the key that was remembered opened nothing, and a new reading was lost.
  happening(
    'rewrite with another key',
    1,
    history({
      layout: 'both',
      deeds: [
        [],
        [
          plant({ place: { at: 'every file' }, key: { from: 'an entry', index: 0 } }),
          { deed: 'add a key', index: 0, key: { from: 'an entry', index: 4 } },
        ],
        [{ deed: 'remove', index: 0 }],
      ],
    }),
    { areHonestFirst: true },
  ),
  // An entry for a folder into which others may write, or that everybody may list, beside files shared one by one.
  history({ listing: 'writable', deeds: [[], [plant({ place: { at: 'folder' } })], []] }),
  history({ listing: 'everybody', deeds: [[], [plant({ place: { at: 'folder' } })], []] }),
  // The entry of a folder that everybody may list, with files that the Analyser alone may read, is removed.
  history({
    layout: 'folder',
    listing: 'everybody',
    deeds: [[], [{ deed: 'remove', index: 0 }], []],
  }),
  // A file that its server gives once in each analysis, while somebody else leaves: their refusals were uncertain.
  leaving([
    {
      deed: 'file',
      who: 0,
      index: 0,
      kind: 'own key',
      value: 4_000,
      access: 'once',
      isShared: true,
    },
  ]),
  // A folder is taken back. Before that, an entry with its key, for a file by itself, was removed, and one was added.
  takingBack([{ deed: 'remove', index: 8 }]),
  takingBack([plant({ place: { at: 'file', index: 1 }, key: { from: 'an entry', index: 0 } })]),
  // An entry for a file of a new folder, another file of which gave no answer: the file was remembered, the folder not.
  halfSilent([plant({ place: { at: 'every file' }, key: { from: 'an entry', index: 0 } })]),
  // Time for four of the files of two new Pods, and in the next analysis for no new one: a part passed for the whole.
  short([4, 0]),
  // The same, and then an inbox that cannot be read.
  spoilt(1, short([4, null])),
  // Three new readings of each of two known Pods, of which two in all are reached: they came in by slices.
  short([null, 0, 0, 2]),
  // A share is taken back while there is no time for what is new: what was left was a part.
  happening('take one back', 1, short([null, 0])),
];

/** How many new addresses each analysis reaches. Run-once, which has no limit, calls in none. */
function short(reached: readonly (number | null)[]): Plan {
  const plan = history({ isShort: true, deeds: reached.map(() => []) });
  const steps = plan.steps.map((step, index) => ({
    ...step,
    calls: step.calls.slice(0, 2),
    reached: reached[index] ?? null,
  }));
  return { ...plan, steps };
}

/** The same history with an inbox that cannot be read in one of its analyses. */
function spoilt(at: number, plan: Plan): Plan {
  const steps = plan.steps.map((step, index) => ({ ...step, isSpoilt: index === at }));
  return { ...plan, steps };
}

/** A shared folder, of which every second file gives no answer in the first analysis. */
function halfSilent(deeds: readonly Deed[]): Plan {
  const plan = history({ layout: 'folder', deeds: [deeds, []] });
  return happening('half silent', 0, plan, { recorded: null });
}

/** Folders that are taken back in the sixth analysis. A file of the fourth has an entry with the key of its folder. */
function takingBack(deeds: readonly Deed[]): Plan {
  const plan = history({ layout: 'both', deeds: [[], [], [], [], deeds, [], []] });
  return happening('take the folder back', 5, plan);
}

/** Honest Pods that leave after the first analysis, and count no more in the second. */
function leaving(deeds: readonly Deed[]): Plan {
  return happening('leave', 1, history({ deeds: [deeds, [], []] }), { days: 0, recorded: null });
}

/** The same history with an event of the honest Pods before one of its analyses. */
function happening(honest: HonestEvent, at: number, plan: Plan, changes: Partial<Step> = {}): Plan {
  const steps = plan.steps.map((step, index) => ({
    ...step,
    ...changes,
    ...(index === at && { honest }),
  }));
  return { ...plan, steps };
}

/** One analysis of everybody after each list of deeds; there is a new reading before each. */
function history({
  deeds,
  ...changes
}: Partial<Omit<Plan, 'steps'>> & { deeds: readonly (readonly Deed[])[] }): Plan {
  return {
    layout: 'files',
    listing: 'closed',
    isNested: false,
    isPublic: false,
    mayWrite: false,
    hasHeartRate: true,
    isShort: false,
    sharing: {},
    analysis: {},
    first: [
      [12_000, 14_000],
      [12_150, 14_250],
    ],
    ...changes,
    steps: deeds.map(
      (list): Step => ({
        deeds: [...list],
        calls: [0, 1, 2, 6].map((who) => ({ who, isStopped: false })),
        days: 1,
        honest: 'stay',
        areHonestFirst: false,
        recorded: [13_000, 15_125],
        isUnkept: false,
        isSpoilt: false,
        reached: null,
        isConfirmed: false,
      }),
    ),
  };
}

/** An entry about something in the first honest Pod. */
function plant(
  changes: Pick<Extract<Deed, { deed: 'plant' }>, 'place'> &
    Partial<Extract<Deed, { deed: 'plant' }>>,
): Deed {
  return {
    deed: 'plant',
    pod: 0,
    spelling: 0,
    id: 'genuine',
    times: 1,
    key: { from: 'random', index: 0 },
    ...changes,
  };
}
