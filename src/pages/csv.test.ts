import { expect, test } from 'vitest';
import { sampleResults } from '../../test/support/results-sample.js';
import { historyAsCsv, podsAsCsv, toCsv } from './csv.js';

test('numbers keep every digit, and what is missing is empty', () => {
  expect(toCsv(['a', 'b', 'c'], [[121.44444444444444, null, true]])).toBe(
    'a,b,c\r\n121.44444444444444,,true\r\n',
  );
});

test('commas, quotes and line breaks stay in their cell', () => {
  expect(toCsv(['a'], [['x,"y"\nz']])).toBe('a\r\n"x,""y""\nz"\r\n');
});

test.each(['=1+1', '+1', '-1', '@x', '\tx'])('%j is text, not a formula', (text) => {
  expect(toCsv(['a'], [[text]])).toBe(`a\r\n'${text}\r\n`);
});

test('a negative number is a number', () => {
  expect(toCsv(['a'], [[-1.5]])).toBe('a\r\n-1.5\r\n');
});

test('a Pod has a row with its run and all its measures', () => {
  const run = sampleResults('20260819T091500Z', ['pods.example.org-alice']);
  const rows = podsAsCsv(run).split('\r\n');
  expect(rows).toEqual([
    'run_id,generated_at,pod_id,web_id,included_in_cohort,observation_count,files_read,files_skipped,first_observation,last_observation,systolic_average,systolic_minimum,systolic_maximum,systolic_standard_deviation,systolic_count,diastolic_average,diastolic_minimum,diastolic_maximum,diastolic_standard_deviation,diastolic_count,heart_rate_average,heart_rate_minimum,heart_rate_maximum,heart_rate_standard_deviation,heart_rate_count,carried_from',
    '20260819T091500Z,2026-08-19T09:15:00.123+00:00,pods.example.org-alice,https://pods.example.org/alice/profile/card#me,true,3,3,1,2026-08-01T07:00:00.000+00:00,2026-08-19T07:00:00.000+00:00,128.25,118.25,138.25,5.5,3,82,72,92,5.5,3,66,56,76,5.5,3,',
    '',
  ]);
});

test('an analysis has one row, with the most warnings and all failures of its runs', () => {
  const { generated_at, cohort } = sampleResults('20260819T091500Z', ['a', 'b']);
  const runs = [
    { run_id: '20260819T091501Z', warnings: 4, failed_deliveries: 1 },
    { run_id: '20260819T091500Z', warnings: 6, failed_deliveries: 2 },
  ];
  const [header = '', row = ''] = historyAsCsv([{ generated_at, cohort, runs }]).split('\r\n');
  expect(header).toMatch(/^run_id,generated_at,pod_count,.*,warnings,failed_deliveries$/);
  expect(row).toBe(
    '20260819T091501Z,2026-08-19T09:15:00.123+00:00,2,2,6,128.25,128.25,128.25,82,82,82,,,,6,3',
  );
});
