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

test('that callers get no figures of the cohort comes first, with why and the whole command', () => {
  const reason = 'Cohort figures are withheld: memory.txt is damaged. Find out why.';
  const withheld = { ...latest, warnings: ['A file was skipped.', reason] };
  const alerts = findAlerts({ ...fine, latest: withheld, state: null });
  expect(alerts).toHaveLength(2);
  expect(alerts[0]).toMatchObject({
    title: 'Callers get no figures of the cohort',
    text: 'memory.txt is damaged. Find out why.',
    command: './run.sh release --confirm',
  });
});

test('what is withheld for one analysis alone needs no command', () => {
  const none = { systolic: null, diastolic: null, heart_rate: null };
  const cohort_release = {
    mechanism: 'noise' as const,
    average_of_averages: none,
    released_at: none,
    withheld: '1 Pod could not be read in full',
  };
  const sharing = { ...latest.sharing, cohort_release };
  const [alert] = findAlerts({ ...fine, latest: { ...latest, sharing } });
  expect(alert).toEqual({
    title: 'Callers get no figures of the cohort',
    text: '1 Pod could not be read in full.',
  });
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
