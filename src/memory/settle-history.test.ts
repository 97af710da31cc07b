import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CountedFigures } from '../analysis/summarise-cohort.js';
import type { Fate } from './fate.js';
import { forget } from './forget.js';
import { emptyMemory, type Memory, type RememberedPod } from './memory.js';
import { type AskedPod, DAYS_OF_PATIENCE, type Settlement, settle } from './settle.js';

/**
 * Histories of a few Pods with a few files: files are shared, read, silent, refused, given another
 * key, left out; strangers add addresses; the operator forgets; other processes write in between;
 * the clock goes on, stands or goes back.
 */
const rules = { digest: 'rules', windowDays: null, partialCohort: false };
const ROOTS = ['anna', 'ben', 'cleo'].map((name) => `https://pods.example/${name}/`);
const FILES = 3;
const fileOf = (root: string, index: number) => `${root}app/data/${index}.json.enc.ttl`;
const keyOf = (url: string) => Buffer.from(url.padStart(60).slice(-32));
const digestOf = (key: Buffer) => key.toString('base64');

const fates = {
  read: (url: string): Fate => ({ kind: 'read', key: keyOf(url), folder: null }),
  silence: (): Fate => ({ kind: 'missing', because: 'silence' }),
  answer: (): Fate => ({ kind: 'missing', because: 'answer' }),
  others: (): Fate => ({ kind: 'missing', because: 'others' }),
  late: (): Fate => ({ kind: 'not asked' }),
  refusal: (): Fate => ({ kind: 'ended', by: 'refusal' }),
  key: (): Fate => ({ kind: 'ended', by: 'key' }),
  public: (): Fate => ({ kind: 'ended', by: 'public' }),
};
type FateName = keyof typeof fates;
const endings: readonly FateName[] = ['refusal', 'key', 'public'];
const absences: readonly FateName[] = ['silence', 'answer', 'others'];

/** Of one Pod: the fate of each file; null for one that is left out or was never shared. */
type Seen = (FateName | null)[];

const anyFate: fc.Arbitrary<FateName | null> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('read' as const) },
  { weight: 6, arbitrary: fc.constantFrom(...absences, 'late' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...endings) },
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
  { weight: 2, arbitrary: fc.record({ analysed: anyWorld }) },
);
const anyHistory = fc.array(fc.record({ world: anyWorld, days: anyDays, between: anyBetween }), {
  minLength: 1,
  maxLength: 40,
});
type Between = typeof anyBetween extends fc.Arbitrary<infer T> ? T : never;

/** The figures say which files they are made of. */
function figuresOf(files: readonly number[]): CountedFigures {
  const measure = { average: 120, count: 1 };
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
    spelling: root,
    fates: new Map(
      names.map(({ name, index }) => {
        const url = fileOf(root, index);
        return [url, fates[name](url)];
      }),
    ),
    opened: new Map(read.map((index) => [digestOf(keyOf(fileOf(root, index))), 'own' as const])),
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
  stored: Memory;
  asked: AskedPod[];
  today: number;
  settled: Settlement;
  /** Whether another process wrote, or the operator forgot, in the meantime. */
  between: Between;
}

function live(
  history: readonly (typeof anyHistory extends fc.Arbitrary<(infer T)[]> ? T : never)[],
) {
  const steps: Step[] = [];
  let memory = emptyMemory();
  let today = 20_000;
  for (const { world, days, between } of history) {
    const before = memory;
    let stored = before;
    if (between !== null && 'forgotten' in between) {
      stored = forget(before, between.forgotten, digestOf).memory;
    } else if (between !== null) {
      stored = settle({ before, stored: before }, askedPods(between.analysed), rules, today).memory;
    }
    today += days;
    const asked = askedPods(world);
    const settled = settle({ before, stored }, asked, rules, today);
    steps.push({ before, stored, asked, today, settled, between });
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
const fateIn = ({ asked }: Step, url: string): Fate | null =>
  asked.map((pod) => pod.fates.get(url)).find((fate) => fate !== undefined) ?? null;

test('a share ends by a refusal, another key or public access, and by nothing else', () => {
  everyStep((step) => {
    for (const { url } of sharesOf(step.stored)) {
      if (has(step.settled.memory, url) || step.settled.letGo.includes(url)) continue;
      expect(fateIn(step, url)?.kind).toBe('ended');
    }
  });
});

test('a share is let go only after ten different days on which it was missing, in succession', () => {
  everyStep((step, earlier) => {
    for (const url of step.settled.letGo) {
      const days = new Set<number>();
      // Other processes gather days as well; a reading by anybody begins anew.
      for (const one of [...earlier, step]) {
        if (one.between !== null && 'analysed' in one.between) return;
        const fate = fateIn(one, url);
        if (fate?.kind === 'read') days.clear();
        if (fate?.kind === 'missing' && has(one.stored, url)) days.add(one.today);
      }
      expect(days.size).toBeGreaterThanOrEqual(DAYS_OF_PATIENCE);
    }
  });
});

test('a share is one of one Pod, and keys are those of the Pod that they opened something of', () => {
  everyStep(({ settled: { memory } }) => {
    for (const { root, url } of sharesOf(memory)) expect(url.startsWith(root)).toBe(true);
    for (const [root, pod] of memory.pods) {
      expect(pod.root).toBe(root);
      const own = Array.from({ length: FILES }, (_, index) => digestOf(keyOf(fileOf(root, index))));
      expect(own).toEqual(expect.arrayContaining([...pod.keys.keys()]));
    }
  });
});

test('figures are remembered that are made of files that are remembered', () => {
  everyStep(({ stored, settled: { memory } }) => {
    for (const { root, figures, shares } of memory.pods.values()) {
      if (figures === null || figures === stored.pods.get(root)?.figures) continue;
      for (let index = 0; index < FILES; index += 1) {
        if (isMadeOf(figures, index)) expect([...shares.keys()]).toContain(fileOf(root, index));
      }
    }
  });
});

test('whoever is silent counts as before, whole', () => {
  everyStep(({ stored, asked, settled: { counted, memory } }) => {
    for (const pod of stored.pods.values()) {
      const seen = asked.find(({ root }) => root === pod.root);
      const isSilent = [...(seen?.fates ?? [])].some(
        ([url, { kind }]) =>
          memory.pods.get(pod.root)?.shares.has(url) === true &&
          pod.shares.has(url) &&
          (kind === 'missing' || kind === 'not asked'),
      );
      if (!isSilent || pod.figures === null) continue;
      const { observation_count } = pod.figures;
      expect(counted.get(pod.root)).toMatchObject({ observation_count });
      expect(memory.pods.get(pod.root)?.figures).toEqual(pod.figures);
    }
  });
});

test('what one Pod does changes nothing for another', () => {
  fc.assert(
    fc.property(anyHistory, anySeen, fc.constantFrom(...ROOTS), (history, seen, root) => {
      const last = live(history).at(-1);
      if (last === undefined) return;
      const { before, stored, asked, today, settled } = last;
      const others = asked.filter((pod) => pod.root !== root);
      const otherwise = settle({ before, stored }, [...others, askedPod(root, seen)], rules, today);
      for (const other of ROOTS.filter((one) => one !== root)) {
        expect(otherwise.counted.get(other)).toEqual(settled.counted.get(other));
        expect(otherwise.memory.pods.get(other)).toEqual(settled.memory.pods.get(other));
        expect(otherwise.left.includes(other)).toBe(settled.left.includes(other));
      }
    }),
  );
});

test('addresses that never opened anything change nothing at all', () => {
  const neverOpened = fc.constantFrom<FateName>(...absences, ...endings, 'late');
  fc.assert(
    fc.property(
      anyHistory,
      fc.array(fc.tuple(fc.constantFrom(...ROOTS, 'https://new.example/mallory/'), neverOpened)),
      (history, planted) => {
        const last = live(history).at(-1);
        if (last === undefined) return;
        const { before, stored, asked, today, settled } = last;
        const byRoot = new Map(asked.map((pod) => [pod.root, pod]));
        for (const [index, [root, name]] of planted.entries()) {
          const pod = byRoot.get(root) ?? askedPod(root, []);
          const url = fileOf(root, FILES + index);
          byRoot.set(root, { ...pod, fates: new Map([...pod.fates, [url, fates[name](url)]]) });
        }
        const after = settle({ before, stored }, [...byRoot.values()], rules, today);
        expect(after).toEqual(settled);
      },
    ),
  );
});

test('what others forgot or ended in the meantime stays so, with its keys and figures', () => {
  everyStep(({ before, stored, settled: { memory } }) => {
    for (const { url } of sharesOf(before)) {
      if (!has(stored, url)) expect(has(memory, url)).toBe(false);
    }
    for (const [root, pod] of before.pods) {
      if (stored.pods.has(root)) continue;
      const after: Partial<RememberedPod> = memory.pods.get(root) ?? {};
      for (const digest of pod.keys.keys()) expect(after.keys?.has(digest) ?? false).toBe(false);
      if (pod.shares.size > 0) expect(after.figures ?? null).toBeNull();
    }
  });
});

test('a chart goes only with the last share of its Pod, and by a refusal or a key', () => {
  everyStep((step) => {
    for (const root of step.settled.left) {
      expect(step.settled.memory.pods.get(root)?.shares.size ?? 0).toBe(0);
      const last = [...(step.stored.pods.get(root)?.shares.keys() ?? [])];
      const by = last.map((url) => fateIn(step, url));
      expect(by.some((fate) => fate?.kind === 'ended' && fate.by !== 'public')).toBe(true);
    }
  });
});
