import { AnalyserError, messageOf } from '../base/errors.js';
import { type ChartPlan, planChart } from './chart-plan.js';

const sample = planChart({
  readings: [{ time: 0, offset: 0, systolic: 120, diastolic: 80, heart_rate: 60 }],
  own: { systolic: 120, diastolic: 80, heart_rate: 60 },
  cohort: null,
});

/**
 * Draws a PNG; the first drawing loads the library. Each drawing keeps this thread busy for one or two
 * tenths of a second, so do not draw in a thread that answers calls.
 */
export async function drawChart(plan: ChartPlan): Promise<Buffer> {
  try {
    const { renderChart } = await import('./render-chart.js');
    return renderChart(plan);
  } catch (error) {
    throw new AnalyserError(
      'configuration',
      `The charting library failed (${messageOf(error)}). Install the packages again, or set output.render_charts to false.`,
      { cause: error },
    );
  }
}

/** True, or the reason why no chart can be drawn here. */
export async function chartsAvailable(): Promise<true | string> {
  return drawChart(sample).then(
    () => true,
    (error: unknown) => messageOf(error),
  );
}
