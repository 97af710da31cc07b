import { expect, test } from 'vitest';
import { comingsOf } from './comings.js';

test('who joined and who left stand in one list, the newest first', () => {
  const pod = (pod_id: string, first_seen: string | null) => ({
    pod_id,
    first_seen,
    last_change: null,
  });
  const pods = [
    pod('anna', '2026-08-01T10:00:00.000+00:00'),
    pod('ben', '2026-08-03T10:00:00.000+00:00'),
    // Before the oldest stored analysis.
    pod('cleo', null),
  ];
  const left = [{ pod_id: 'dan', left_at: '2026-08-02T12:00:00.000+02:00' }];
  expect(comingsOf({ pods, left })).toEqual([
    { at: '2026-08-03T10:00:00.000+00:00', podId: 'ben', what: 'joined' },
    { at: '2026-08-02T12:00:00.000+02:00', podId: 'dan', what: 'left' },
    { at: '2026-08-01T10:00:00.000+00:00', podId: 'anna', what: 'joined' },
  ]);
});
