import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  concludedOf,
  fileOf,
  fileWith,
  podOfFiles,
  rootOf,
  webIdOf,
} from '../../../test/support/concluded.js';
import { DAY_MS } from '../../base/utc-time.js';
import { emptyMemory } from '../../memory/memory.js';
import { notRead } from '../../pod/outcome.js';
import { podIdOfRoot } from '../../pod/owner.js';
import { withhold } from './tell-cohort.js';

const begin = new Date('2026-11-01T00:00:00Z');
const later = (days: number) => new Date(begin.getTime() + days * DAY_MS);

/** What follows when each Pod has one file with one reading; null where it gave no answer. */
function concluded(
  systolic: Record<string, number | null>,
  sharing: object,
  memory = emptyMemory(),
  { now = begin, ...sections }: { now?: Date; analysis?: object; data?: object } = {},
) {
  const pods = Object.entries(systolic).map(([name, value]) => {
    const reading = { time: now.getTime(), systolic: value ?? 0 };
    const heartRate = name === 'anna' ? {} : { heart_rate: null };
    const read = fileWith({ ...reading, ...heartRate }, Buffer.from(name));
    return podOfFiles(name, [value === null ? notRead('silence', '') : read], memory);
  });
  const { results } = concludedOf(pods, { sections: { sharing, ...sections }, memory, now });
  return results.conclusion;
}

const three = { anna: 110, ben: 120, cleo: 130 };
const noise = { cohort_release: { epsilon: 1, every_days: 1, budget: 12, per_days: 30 } };
const withheld = { ...emptyMemory(), withheld: 'The memory is gone.' };

test('[5.10][5.8] a release is made once in its days, and none while figures are withheld: its budget stays', () => {
  const first = concluded(three, noise);
  expect(first.memory.releases).toHaveLength(1);
  // The heart rates of one Pod alone are never released.
  expect(first.told.release).toMatchObject({
    average_of_averages: { systolic: expect.any(Number), heart_rate: null },
    released_at: { systolic: '2026-11-01T00:00:00.000+00:00', heart_rate: null },
  });
  expect(concluded(three, noise, first.memory).memory.releases).toHaveLength(1);
  expect(concluded(three, noise, withheld).memory.releases).toEqual([]);
  const tooFew = { analysis: { minimum_observations: 2 } };
  expect(concluded(three, noise, emptyMemory(), tooFew).memory.releases).toEqual([]);
  expect(concluded(three, { ...noise, enabled: false }).memory.releases).toEqual([]);
  // There is nobody to send it to.
  expect(concluded({ ...three, anna: null }, noise).memory.releases).toEqual([]);
  const unshared = concluded(three, { ...noise, share_cohort_average: false });
  expect([unshared.memory.releases, unshared.told.release]).toEqual([[], null]);
  expect(unshared.told.disclose([rootOf('anna')]).average_of_averages.systolic).toBeNull();
});

test('[5.9] a release stands in for the exact figures, and the average of all readings is not sent beside it', () => {
  const { told } = concluded(three, noise);
  const sent = told.disclose([rootOf('anna')]);
  expect(sent.average_of_averages).toEqual(told.release?.average_of_averages);
  expect(sent.pooled_average).toEqual({ systolic: null, diastolic: null, heart_rate: null });
});

test.each([{}, noise])('[1.2] nobody is told a figure that is withheld: %j', (sharing) => {
  const memory = { ...concluded(three, sharing).memory, withheld: 'The memory is gone.' };
  const { told, cohort } = concluded(three, sharing, memory);
  expect(cohort.average_of_averages.systolic).toBe(120);
  expect(told.withheld).toEqual({ reason: 'The memory is gone.', until_confirmed: true });
  expect(told.disclose([rootOf('anna')]).average_of_averages.systolic).toBeNull();
});

const withoutBen = { ...three, ben: null };
const window = { analysis: { window_days: 10 } };

test('[5.1] a Pod that could not be read counts, and is reported, with its earlier figures within the window', () => {
  const { memory } = concluded(three, {}, emptyMemory(), window);
  const after = (days: number) =>
    concluded(withoutBen, {}, memory, { ...window, now: later(days) }).cohort;
  expect(after(10)).toMatchObject({ pod_count: 3, included_pod_count: 3 });
  expect(after(11)).toMatchObject({ pod_count: 2, included_pod_count: 2 });
});

test.each([window, { analysis: { from: '2026-01-01' } }, { data: { path_fragments: ['/data/'] } }])(
  '[5.3] a Pod that could be read neither whole nor as before withholds the figures of this analysis: now %j',
  (rules) => {
    const { memory } = concluded(three, {});
    const { told, contributors, warnings } = concluded(withoutBen, {}, memory, rules);
    const kinds = contributors.map(({ standing }) => standing.kind);
    expect(kinds).toEqual(['whole', 'outdated', 'whole']);
    expect(told.withheld).toMatchObject({ until_confirmed: false });
    expect(warnings.join()).toContain(webIdOf('ben'));
  },
);

test('what was remembered under rules that nobody has set since counts with every later version', () => {
  const rules = createHash('sha256')
    .update('[null,["/data/blood_pressure/"],null]')
    .digest('base64url');
  const { memory } = concluded(three, {});
  expect(memory.pods.get(rootOf('ben'))?.sums?.rules).toBe(rules.slice(0, 16));
});

test('[5.4] who is missing for ten days is named', () => {
  let last = concluded(three, {});
  for (let days = 1; days <= 10; days += 1) {
    expect(last.warnings).toEqual([]);
    last = concluded(withoutBen, {}, last.memory, { now: later(days) });
  }
  expect(last.warnings).toEqual([
    `Missing on 10 days and not expected any more: ${fileOf('ben')}.`,
  ]);
});

test('[5.11] a Pod that is left out is remembered, and its chart stays while an entry names something in it, or nobody can tell', () => {
  const { memory } = concluded(three, {});
  const without = (found: Parameters<typeof concludedOf>[1]) => {
    const { charted, memory: after } = concludedOf([], { ...found, memory }).results.conclusion;
    return { charted: [...(charted ?? [])], pods: after.pods };
  };
  expect(without({})).toEqual({ charted: [], pods: memory.pods });
  expect(without({ notInView: [fileOf('ben')] }).charted).toEqual([podIdOfRoot(rootOf('ben'))]);
  expect(without({ whyInboxUnread: 'It is spoilt.' }).charted).toHaveLength(3);
});

test('[5.11] the charts of all Pods that still share stay; who has just taken back everything is named, and nobody else', () => {
  const first = concluded(three, {});
  expect(first.charted).toEqual(
    new Set(['anna', 'ben', 'cleo'].map((name) => podIdOfRoot(rootOf(name)))),
  );
  expect(first.withdrawn).toEqual([]);
  const pods = [
    podOfFiles('anna', [fileWith({}, Buffer.from('anna'))], first.memory),
    podOfFiles('ben', [notRead('refused', '')], first.memory),
    podOfFiles('cleo', [notRead('silence', '')], first.memory),
    // Nothing of it was ever read.
    podOfFiles('dora', [notRead('refused', '')], first.memory),
  ];
  const { withdrawn, charted } = concludedOf(pods, { memory: first.memory }).results.conclusion;
  expect(withdrawn).toEqual([podIdOfRoot(rootOf('ben'))]);
  expect(charted).toEqual(new Set(['anna', 'cleo'].map((name) => podIdOfRoot(rootOf(name)))));
});

test('[6.2] what must not leave any more is taken back whole, but where there was nothing to tell', () => {
  const why = { reason: 'It changed.', until_confirmed: false };
  const roots = [rootOf('anna')];
  const { told } = concluded(three, {});
  expect(told.disclose(roots).average_of_averages.systolic).toBe(120);
  const taken = withhold(told, why);
  expect(taken.disclose(roots).average_of_averages.systolic).toBeNull();
  expect(taken.withheld).toEqual(why);
  const released = withhold(concluded(three, noise).told, why).release;
  expect(released).toMatchObject({ average_of_averages: { systolic: null }, withheld: why.reason });
  const nothing = concluded(three, { share_cohort_average: false }).told;
  expect(withhold(nothing, why).withheld).toBeNull();
});

test('[5.9] while there is no release yet, nobody is told an exact figure in its place', () => {
  const systolic = { anna: null, ben: 110, cleo: 120, dora: 130, emil: 140 };
  const toldBen = (sharing: object) =>
    concluded(systolic, sharing).told.disclose([rootOf('ben')]).average_of_averages.systolic;
  // Nobody is sent anything, so no release is made.
  expect(concluded(systolic, noise).memory.releases).toEqual([]);
  expect(toldBen(noise)).toBeNull();
  expect(toldBen({})).toBe(125);
});
