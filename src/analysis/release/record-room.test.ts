import { expect, test } from 'vitest';
import { DAY_MS as day } from '../../base/utc-time.js';
import { recordWarnings } from './record-room.js';
import { emptyRecord, type ReleaseRecord } from './release-record.js';
import { MOST_RECORDED_PODS } from './steps.js';

const steps = {
  mechanism: 'steps',
  changedPods: 3,
  perDays: 365,
  minimumCohortPods: 0,
} as const;

/** Figures of a tenth of the room each, one a day; only their number of Pods is looked at. */
function recordOf(figures: number): ReleaseRecord {
  const pods = new Map(
    Array.from({ length: MOST_RECORDED_PODS / 10 }, (_, pod) => [String(pod), 1]),
  );
  const systolic = Array.from({ length: figures }, (_, index) => ({
    value: 120,
    releasedAt: index * day,
    replacedAt: index === figures - 1 ? null : (index + 1) * day,
    pods,
  }));
  const record = emptyRecord();
  return { ...record, steps: { ...record.steps, systolic } };
}

test.each<[number, RegExp[]]>([
  [0, []],
  [7, []],
  [8, [/is nearly full \(systolic 80 %\)\. .* raise changed_pods, .* or lower per_days\.$/]],
  [9, [/is nearly full \(systolic 90 %\)/]],
  [10, [/is full \(systolic 100 %\)/]],
])('a record of %i tenths', (figures, expected) => {
  const warnings = recordWarnings(recordOf(figures), 10 * day, steps);
  expect(warnings).toHaveLength(expected.length);
  for (const pattern of expected) expect(warnings[0]).toMatch(pattern);
});

test('what is no longer compared with takes no room', () => {
  const record = recordOf(10);
  // The first five were replaced after 1 to 5 days.
  expect(recordWarnings(record, 370 * day, steps)).toEqual([]);
  expect(recordWarnings(record, 366 * day, steps)).not.toEqual([]);
});

test('noise keeps too little to ever be full', () => {
  const bounds = { systolic: [80, 200], diastolic: [40, 120], heart_rate: [40, 120] } as const;
  const noise = { epsilon: 1, everyDays: 1, budget: 3, bounds, perDays: 365, minimumCohortPods: 0 };
  const rules = { mechanism: 'noise', ...noise } as const;
  expect(recordWarnings(recordOf(10), 10 * day, rules)).toEqual([]);
});
