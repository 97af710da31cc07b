import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { sampleResults } from '../../test/support/results-sample.js';
import { HistoryPage } from './history-page.js';

test('a history of a hundred thousand analyses is one page, and no large one', () => {
  const { cohort } = sampleResults('20260819T091500Z', ['a']);
  const history = Array.from({ length: 130_000 }, (_, index) => ({
    generated_at: new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString(),
    cohort,
    runs: [{ run_id: '20260819T091500Z', warnings: 0, failed_deliveries: 0 }],
  }));
  const page = renderToString(HistoryPage({ history, days: 'all' }));
  expect(page).toContain('130,000 analyses in these days, the newest first; 500 are shown');
  expect(page.length).toBeLessThan(1_000_000);
});
