import { expect, test } from 'vitest';
import { sampleResults } from '../../test/support/results-sample.js';
import { historyAsCsv, podsAsCsv, toCsv } from './csv.js';

test.each<[string | number | boolean | null, string]>([
  [121.44444444444444, '121.44444444444444'],
  [-1.5, '-1.5'],
  [null, ''],
  [true, 'true'],
  ['x,"y"\nz', '"x,""y""\nz"'],
  // Text, and no formula to a spreadsheet.
  ...['=1+1', '+1', '-1', '@x', '\tx'].map((text): [string, string] => [text, `'${text}`]),
])('[T36] the cell %j is written as %j', (cell, text) => {
  expect(toCsv(['a', 'b'], [[cell, 1]])).toBe(`a,b\r\n${text},1\r\n`);
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
