import { resolve } from 'node:path';
import { measureNames } from '../../analysis/reading.js';
import { countOf } from '../../base/count-of.js';
import { chartOf } from '../../client/result.js';
import type { PodAverageDocument } from '../../documents/published-document.js';
import { writeFileAtomically } from '../../store/atomic-file.js';
import type { ModeContext } from '../mode.js';

type Figures = PodAverageDocument['average'];

/** Describes a result for a person: own figures beside those of the cohort. */
export function describeResult(result: PodAverageDocument): string[] {
  const { average, cohort, pod, units } = result;
  const cells = (figures: Figures) => measureNames.map((name) => show(figures[name]));
  const rows = [
    ['', ...measureNames.map((name) => `${name.replace('_', ' ')} (${units[name]})`)],
    ['your average', ...cells(average)],
    ['cohort average', ...cells(cohort.average_of_averages)],
  ];
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const table = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths?.[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return [
    ...table,
    '',
    `${countOf(pod.observation_count, 'reading')} of yours, ${countOf(cohort.pod_count, 'Pod')} in the cohort; generated at ${result.generated_at}.`,
  ];
}

/** Saves the chart where --chart says; returns the sentence to print. */
export async function saveChart(
  result: PodAverageDocument,
  { options, cwd }: Pick<ModeContext, 'options' | 'cwd'>,
): Promise<string | null> {
  const wanted = options['chart'];
  if (typeof wanted !== 'string') return null;
  const chart = chartOf(result);
  if (chart === null) return 'The service draws no charts, so none was saved.';
  const path = resolve(cwd, wanted);
  await writeFileAtomically(path, chart, 0o600);
  return `The chart is in ${path}.`;
}

function show(figure: number | null): string {
  return figure === null ? '–' : figure.toFixed(1);
}
