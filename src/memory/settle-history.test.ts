import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CountedFigures } from '../analysis/summarise-cohort.js';
import { forget } from './forget.js';
import { emptyMemory, type Memory } from './memory.js';
import { type AskedPod, DAYS_OF_PATIENCE, type Settlement, settle } from './settle.js';
import type { ShareFate } from './share-fates.js';

/**
 * Histories of a few Pods with a few files: files are shared, read, silent, refused, overwritten, left out;
 * strangers add addresses; the operator forgets; the clock goes on, stands or goes back.
 */
const rules = { digest: 'rules', windowDays: null, partialCohort: false };
const ROOTS = ['anna', 'ben', 'cleo'].map((name) => `https://pods.example/${name}/`);
const FILES = 3;
const fileOf = (root: string, index: number) => `${root}app/data/${index}.json.enc.ttl`;
const keyOf = (url: string) => Buffer.from(url.padStart(60).slice(-32));
const digestOf = (key: Buffer) => key.toString('base64');

const fates = {
  read: (url: string): ShareFate => ({ kind: 'read', key: keyOf(url) }),
  silence: (): ShareFate => ({ kind: 'missing', isCausedByOthers: false }),
  others: (): ShareFate => ({ kind: 'missing', isCausedByOthers: true }),
  late: (): ShareFate => ({ kind: 'not asked' }),
  ended: (): ShareFate => ({ kind: 'ended' }),
  empty: (): ShareFate => ({ kind: 'empty' }),
  aside: (): ShareFate => ({ kind: 'set aside' }),
};
type FateName = keyof typeof fates;
const absences: readonly FateName[] = ['silence', 'others'];

/** Of one Pod: the fate of each file; null for one that is left out or was never shared. */
type Seen = (FateName | null)[];

const anyFate: fc.Arbitrary<FateName | null> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('read' as const) },
  { weight: 6, arbitrary: fc.constantFrom(...absences, 'late' as const) },
  { weight: 1, arbitrary: fc.constantFrom('ended' as const, 'empty' as const, 'aside' as const) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const anySeen: fc.Arbitrary<Seen> = fc.array(anyFate, { minLength: FILES, maxLength: FILES });
const anyWorld = fc.tuple(anySeen, anySeen, anySeen);
const anyDays = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: -400, max: 400 }) },
);
const anyBetween = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.record({ forgotten: fc.constantFrom(...ROOTS, null) }) },
);
const anyHistory = fc.array(fc.record({ world: anyWorld, days: anyDays, between: anyBetween }), {
  minLength: 1,
  maxLength: 40,
});

/** The figures say which files they are made of. */
function figuresOf(files: readonly number[]): CountedFigures {
  const measure = { sum: 12_000, count: 1 };
  return {
    observation_count: files.reduce((sum, index) => sum + 2 ** index, 0),
    measures: { systolic: measure, diastolic: measure, heart_rate: measure },
  };
}
const isMadeOf = ({ observation_count }: CountedFigures, index: number) =>
  Math.floor(observation_count / 2 ** index) % 2 === 1;

function askedPod(root: string, seen: Seen): AskedPod {
  const names = seen.flatMap((name, index) => (name === null ? [] : [{ name, index }]));
  const read = names.flatMap(({ name, index }) => (name === 'read' ? [index] : []));
  return {
    root,
    digest: root,
    isUnfinished: seen.includes('late'),
    fates: new Map(
      names.map(({ name, index }) => {
        const url = fileOf(root, index);
        return [url, fates[name](url)];
      }),
    ),
    claims: new Map(read.map((index) => [digestOf(keyOf(fileOf(root, index))), 'own' as const])),
    figures: read.length === 0 ? null : figuresOf(read),
  };
}

function askedPods(world: readonly Seen[]): AskedPod[] {
  return ROOTS.flatMap((root, index) => {
    const pod = askedPod(root, world[index] ?? []);
    return pod.fates.size === 0 ? [] : [pod];
  });
}

interface Step {
  before: Memory;
  asked: AskedPod[];
  today: number;
  settled: Settlement;
}

function live(
  history: readonly (typeof anyHistory extends fc.Arbitrary<(infer T)[]> ? T : never)[],
) {
  const steps: Step[] = [];
  let memory = emptyMemory();
  let today = 20_000;
  for (const { world, days, between } of history) {
    const before = between === null ? memory : forget(memory, between.forgotten).memory;
    today += days;
    const asked = askedPods(world);
    const settled = settle(before, asked, rules, today);
    steps.push({ before, asked, today, settled });
    memory = settled.memory;
  }
  return steps;
}

const everyStep = (check: (step: Step, earlier: readonly Step[]) => void, runs = 300) =>
  fc.assert(
    fc.property(anyHistory, (history) => {
      const steps = live(history);
      for (const [index, step] of steps.entries()) check(step, steps.slice(0, index));
    }),
    { numRuns: runs },
  );

const sharesOf = ({ pods }: Memory) =>
  [...pods.values()].flatMap(({ root, shares }) =>
    Array.from(shares.values(), (share) => ({ root, ...share })),
  );
const has = (memory: Memory, url: string) => sharesOf(memory).some((share) => share.url === url);
const fateIn = ({ asked }: Step, url: string): ShareFate | null =>
  asked.map((pod) => pod.fates.get(url)).find((fate) => fate !== undefined) ?? null;

test('a share ends by its owner, and by nothing else', () => {
  everyStep((step) => {
    for (const { url } of sharesOf(step.before)) {
      if (has(step.settled.memory, url) || step.settled.letGo.includes(url)) continue;
      expect(fateIn(step, url)?.kind).toBe('ended');
    }
  });
});

test('a share is let go only after ten different days on which it was missing, in succession', () => {
  everyStep((step, earlier) => {
    for (const url of step.settled.letGo) {
      const days = new Set<number>();
      for (const one of [...earlier, step]) {
        const fate = fateIn(one, url);
        if (fate?.kind === 'read' || fate?.kind === 'empty') days.clear();
        if (fate?.kind === 'missing' && has(one.before, url)) days.add(one.today);
      }
      expect(days.size).toBeGreaterThanOrEqual(DAYS_OF_PATIENCE);
    }
  });
});

test('a share is one of one Pod, and keys are those of the Pod that they opened something of', () => {
  everyStep(({ settled: { memory } }) => {
    for (const { root, url } of sharesOf(memory)) expect(url.startsWith(root)).toBe(true);
    for (const [root, keys] of memory.claims) {
      const own = Array.from({ length: FILES }, (_, index) => digestOf(keyOf(fileOf(root, index))));
      expect(own).toEqual(expect.arrayContaining([...keys.keys()]));
    }
  });
});

test('whose key it is is never forgotten', () => {
  everyStep(({ before, settled: { memory } }) => {
    for (const [root, keys] of before.claims) {
      expect([...(memory.claims.get(root)?.keys() ?? [])]).toEqual(
        expect.arrayContaining([...keys.keys()]),
      );
    }
  });
});

test('figures are remembered that are made of files that are remembered', () => {
  everyStep(({ before, settled: { memory } }) => {
    for (const { root, figures, shares } of memory.pods.values()) {
      if (figures === null || figures === before.pods.get(root)?.figures) continue;
      for (let index = 0; index < FILES; index += 1) {
        if (isMadeOf(figures, index)) expect([...shares.keys()]).toContain(fileOf(root, index));
      }
    }
  });
});

test('whoever is silent counts as before, whole, unless something was taken back or set aside', () => {
  everyStep(({ before, asked, settled: { counted, memory } }) => {
    for (const pod of before.pods.values()) {
      const seen = [...(asked.find(({ root }) => root === pod.root)?.fates ?? [])].filter(([url]) =>
        pod.shares.has(url),
      );
      const remains = (url: string) => memory.pods.get(pod.root)?.shares.has(url) === true;
      const isSilent = seen.some(
        ([url, { kind }]) => remains(url) && (kind === 'missing' || kind === 'not asked'),
      );
      if (!isSilent) continue;
      const isTaken = ([url, { kind }]: [string, ShareFate]) =>
        kind === 'ended' || (kind === 'set aside' && !pod.shares.get(url)?.isSetAside);
      if (seen.some(isTaken)) {
        const after = memory.pods.get(pod.root)?.figures ?? null;
        expect(after === null || after !== pod.figures).toBe(true);
        continue;
      }
      if (pod.figures === null) continue;
      const { observation_count } = pod.figures;
      expect(counted.get(pod.root)).toMatchObject({ observation_count });
      expect(memory.pods.get(pod.root)?.figures).toEqual(pod.figures);
    }
  });
});

test('nobody counts in part: with all that was asked, or with what counted before', () => {
  everyStep(({ before, asked, settled: { counted } }) => {
    for (const pod of asked) {
      const figures = counted.get(pod.root);
      if (figures === undefined) continue;
      const isEarlier = figures === before.pods.get(pod.root)?.figures;
      expect(isEarlier || !pod.isUnfinished).toBe(true);
    }
  });
});

test('what one Pod does changes nothing for another', () => {
  fc.assert(
    fc.property(anyHistory, anySeen, fc.constantFrom(...ROOTS), (history, seen, root) => {
      const last = live(history).at(-1);
      if (last === undefined) return;
      const { before, asked, today, settled } = last;
      const others = asked.filter((pod) => pod.root !== root);
      const otherwise = settle(before, [...others, askedPod(root, seen)], rules, today);
      for (const other of ROOTS.filter((one) => one !== root)) {
        expect(otherwise.counted.get(other)).toEqual(settled.counted.get(other));
        expect(otherwise.memory.pods.get(other)).toEqual(settled.memory.pods.get(other));
      }
    }),
  );
});

test('addresses that never opened anything change nothing at all', () => {
  const neverOpened = fc.constantFrom<FateName>(...absences, 'ended', 'empty');
  fc.assert(
    fc.property(
      anyHistory,
      fc.array(fc.tuple(fc.constantFrom(...ROOTS, 'https://new.example/mallory/'), neverOpened)),
      (history, planted) => {
        const last = live(history).at(-1);
        if (last === undefined) return;
        const { before, asked, today, settled } = last;
        const byRoot = new Map(asked.map((pod) => [pod.root, pod]));
        for (const [index, [root, name]] of planted.entries()) {
          const pod = byRoot.get(root) ?? askedPod(root, []);
          const url = fileOf(root, FILES + index);
          byRoot.set(root, { ...pod, fates: new Map([...pod.fates, [url, fates[name](url)]]) });
        }
        expect(settle(before, [...byRoot.values()], rules, today)).toEqual(settled);
      },
    ),
    {
      examples: [
        [
          [
            { world: [[], [], ['read']], days: 0, between: null },
            { world: [[], [], []], days: 0, between: null },
          ],
          [['https://pods.example/cleo/', 'silence']],
        ],
      ],
    },
  );
});

test('a Pod is forgotten only with its last share, which was taken back or missing for too long', () => {
  everyStep((step) => {
    for (const [root, { shares }] of step.before.pods) {
      if (step.settled.memory.pods.has(root)) continue;
      const urls = [...shares.keys()];
      const isOver = (url: string) =>
        fateIn(step, url)?.kind === 'ended' || step.settled.letGo.includes(url);
      expect(urls.filter((url) => !isOver(url))).toEqual([]);
    }
  });
});
