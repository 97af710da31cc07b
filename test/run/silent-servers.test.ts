import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyMemory, type Memory } from '../../src/memory/memory.js';
import { settle } from '../../src/run/table/settle.js';
import { fileIn, given, type Reply, readFrom } from '../support/scripted-reading.js';
import { keyedDigest, podOf, rememberedPod, someSums } from '../support/table.js';

/** Twelve days, on each of which an analysis asks for all that is remembered of these Pods, and finds out the same. */
async function twelveDays(files: Record<string, number>, reply: (url: string) => Reply) {
  const keysOf = (root: string, count: number) =>
    Array.from({ length: count }, (_, n): [string, null] => [fileIn(root, `${n}`), null]);
  const remembered = Object.entries(files).map(([root, count]) =>
    rememberedPod(root, keysOf(root, count), someSums),
  );
  let memory: Memory = {
    ...emptyMemory(),
    pods: new Map(remembered.map((pod) => [pod.root, pod])),
  };
  /** For each Pod, how it counted on each day. */
  const days: Record<string, string[]> = {};
  const lengths: number[] = [];
  for (let today = 1; today <= 12; today += 1) {
    const pods = [...memory.pods.values()].map(({ root, shares }) =>
      podOf(root, Object.fromEntries([...shares.keys()].map((url) => [url, {}])), memory),
    );
    const { readings, seconds } = await readFrom(reply, pods);
    lengths.push(seconds);
    const rules = { rulesDigest: someSums.rules, windowDays: null, today, keyedDigest };
    const settled = settle(memory, readings, rules);
    for (const [root, { kind }] of settled.standings) (days[root] ??= []).push(kind);
    memory = settled.memory;
  }
  return { days, lengths, left: [...memory.pods.keys()] };
}

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    }),
);
afterEach(() => void vi.useRealTimers());

const [hangs, large, resets, alice] = [
  'https://hangs.example/one/',
  'https://hangs.example/large/',
  'https://resets.example/one/',
  'https://there.example/alice/',
];

test('[5.1][5.4] a server that hangs is let go on the tenth day, as one that resets connections, with every Pod that it has', async () => {
  const { days, lengths, left } = await twelveDays(
    { [hangs]: 1, [large]: 200, [resets]: 2, [alice]: 3 },
    (url) => {
      if (url.startsWith(alice)) return given;
      return url.startsWith(resets) ? { failsAfter: 0.01 } : 'hangs';
    },
  );
  // On the tenth day nothing of it is left that could be missing.
  const gone = [...Array<string>(9).fill('carried'), 'empty'];
  expect(days).toEqual({
    [hangs]: gone,
    [large]: gone,
    [resets]: gone,
    [alice]: Array(12).fill('whole'),
  });
  expect(left).toEqual([alice]);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(13.1);
});

test('[4.5][5.4] whoever lets all places of a server hang, day after day, ends no share of others', async () => {
  const ofStranger = Array.from({ length: 20 }, (_, n) => `https://there.example/eve${n}/`);
  const files = Object.fromEntries(ofStranger.map((root) => [root, 4]));
  const reply = (url: string) => (url.includes('/eve') ? 'hangs' : given);
  const { days, left } = await twelveDays({ ...files, [alice]: 300 }, reply);
  expect(days[alice]).toEqual(Array(12).fill('carried'));
  expect(left).toContain(alice);
  // Those of the stranger that hung are let go.
  expect(left).not.toContain(ofStranger[0]);
});
