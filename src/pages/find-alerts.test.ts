import { expect, test } from 'vitest';
import { sampleResults } from '../../test/support/results-sample.js';
import { noService } from '../store/state.js';
import { findAlerts, type Known } from './find-alerts.js';

const latest = sampleResults('20260819T091500Z', ['pods.example.org-alice']);
const fine: Known = {
  state: noService,
  latest,
  now: new Date('2026-08-20T09:15:00Z'),
};
const at = '2026-08-19T10:00:00.000+00:00';
const ended = { run_id: latest.run_id, started_at: at, finished_at: at, message: 'Done.' };

function titles(change: Partial<Known>): string[] {
  return findAlerts({ ...fine, ...change }).map(({ title }) => title);
}

test('where all is well nothing is said, and so it is before the first run', () => {
  expect(titles({})).toEqual([]);
  expect(titles({ latest: null })).toEqual([]);
});

test.each([
  [
    'memory.txt is damaged.',
    true,
    'memory.txt is damaged. Find out why, then run the mode `release` with --confirm to send out figures again.',
  ],
  ['1 Pod could not be read in full', false, '1 Pod could not be read in full.'],
])('that callers get no figures of the cohort comes first: %s', (reason, until_confirmed, text) => {
  const sharing = { ...latest.sharing, cohort_withheld: { reason, until_confirmed } };
  const alerts = findAlerts({ ...fine, latest: { ...latest, sharing }, state: null });
  expect(alerts).toHaveLength(2);
  expect(alerts[0]).toEqual({ title: 'Callers get no figures of the cohort', text });
});

test.each<[string, Partial<NonNullable<Known['state']>>, string[]]>([
  ['was killed', { analyser: { state: 'killed', at } }, ['The analyser was killed']],
  ['was stopped', { analyser: { state: 'stopped', at } }, []],
  ['ended well', { last_run: { ...ended, status: 'COMPLETED' } }, []],
  ['failed', { last_run: { ...ended, status: 'FAILED' } }, ['The last analysis failed']],
  ['left no run', { last_run: { ...ended, status: 'NO_DATA', run_id: null } }, []],
  ['was killed', { interrupted: { started_at: at } }, ['An analysis has not reported its end']],
])('of a service that %s it says so', (_, state, expected) => {
  expect(titles({ state: { ...noService, ...state } })).toEqual(expected);
});

test('a damaged marker is told', () => {
  expect(titles({ state: null })).toEqual(['The state of the service cannot be read']);
});
