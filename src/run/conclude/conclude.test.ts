import { expect, test } from 'vitest';
import { digestOf, podOf, readWith, someSums } from '../../../test/support/table.js';
import { sumReadings } from '../../analysis/sums.js';
import { configSchema } from '../../config/schema.js';
import { emptyMemory, type Memory } from '../../memory/memory.js';
import { notRead } from '../../pod/outcome.js';
import { podIdOfRoot } from '../../pod/owner.js';
import { analysisRules } from '../analysis-rules.js';
import { podReading } from '../read/pod-reading.js';
import { conclude } from './conclude.js';
import { withhold } from './tell-cohort.js';

const server = 'https://pods.example/';
const now = new Date('2026-11-01T00:00:00Z');
const rootOf = (name: string) => `${server}${name}/`;
const webIdOf = (name: string) => `${rootOf(name)}profile/card#me`;

const fileOf = (name: string) => `${rootOf(name)}app/data/1.enc.ttl`;

/** What follows when each Pod has one file with one reading; null where it gave no answer. */
function concluded(
  systolic: Record<string, number | null>,
  sharing: object,
  memory = emptyMemory(),
) {
  const config = configSchema.parse({
    analyser: { web_id: webIdOf('analyser'), server_url: server },
    sharing,
  });
  const rules = analysisRules(config, now);
  const podReadings = Object.entries(systolic).map(([name, value]) => {
    const measures = { systolic: value ?? 0, diastolic: 80, heart_rate: 60 };
    const reading = { time: now.getTime(), offset: 0, ...measures };
    const { sums } = sumReadings({ readings: [reading], incomplete: 0 }, rules);
    const read = { ...readWith(Buffer.from(name)), sums };
    const outcome = value === null ? notRead('silence', '') : read;
    return podReading(podOf(rootOf(name), { [fileOf(name)]: { outcome } }, memory), rules);
  });
  return conclude(config, {
    gathered: { notInView: [], whyInboxUnread: null, podIdOf: podIdOfRoot },
    podReadings,
    before: { memory, digestOf },
    served: [webIdOf('anna')],
    now,
  });
}

const three = { anna: 110, ben: 120, cleo: 130 };
const noise = { cohort_release: { epsilon: 1, every_days: 1, budget: 12, per_days: 30 } };
const withheld = { ...emptyMemory(), withheld: 'The memory is gone.' };

test('a release is made once in its days, and none while figures are withheld: its budget stays', () => {
  const first = concluded(three, noise);
  expect(first.memory.releases).toHaveLength(1);
  expect(concluded(three, noise, first.memory).memory.releases).toHaveLength(1);
  expect(concluded(three, noise, withheld).memory.releases).toEqual([]);
  expect(concluded(three, { ...noise, enabled: false }).memory.releases).toEqual([]);
  const unshared = concluded(three, { ...noise, share_cohort_average: false });
  expect([unshared.memory.releases, unshared.told.release]).toEqual([[], null]);
  expect(unshared.told.disclose([rootOf('anna')]).average_of_averages.systolic).toBeNull();
});

test('nobody is told a figure that is withheld', () => {
  const { told, cohort } = concluded(three, {}, withheld);
  expect(cohort.average_of_averages.systolic).toBe(120);
  expect(told.withheld).toEqual({ reason: 'The memory is gone.', untilConfirmed: true });
  expect(told.disclose([rootOf('anna')]).average_of_averages.systolic).toBeNull();
});

test('a Pod that could be read neither whole nor as before withholds the figures of this analysis', () => {
  const share = { url: fileOf('ben'), key: null, missingOn: [] };
  // Its sums were made under other rules.
  const ben = { root: rootOf('ben'), shares: new Map([[share.url, share]]), sums: someSums };
  const memory: Memory = { ...emptyMemory(), pods: new Map([[ben.root, ben]]) };
  const { told, contributors, warnings } = concluded(
    { anna: 110, ben: null, cleo: 130 },
    {},
    memory,
  );
  expect(contributors.map(({ standing }) => standing.kind)).toEqual(['whole', 'outdated', 'whole']);
  expect(told.withheld).toMatchObject({ untilConfirmed: false });
  expect(warnings.join()).toContain(webIdOf('ben'));
});

test('what must not leave any more is taken back whole, but where there was nothing to tell', () => {
  const why = { reason: 'It changed.', untilConfirmed: false };
  const roots = [rootOf('anna')];
  const { told } = concluded(three, {});
  expect(told.disclose(roots).average_of_averages.systolic).toBe(120);
  // Two Pods are behind it besides her own: the average of all readings would be a second equation.
  expect(told.disclose(roots).pooled_average.systolic).toBeNull();
  expect(concluded({ ...three, dora: 140 }, {}).told.disclose(roots).pooled_average.systolic).toBe(
    125,
  );
  const taken = withhold(told, why);
  expect(taken.disclose(roots).average_of_averages.systolic).toBeNull();
  expect(taken.withheld).toEqual(why);
  const released = withhold(concluded(three, noise).told, why).release;
  expect(released).toMatchObject({ average_of_averages: { systolic: null }, withheld: why.reason });
  const nothing = concluded(three, { share_cohort_average: false }).told;
  expect(withhold(nothing, why).withheld).toBeNull();
});
