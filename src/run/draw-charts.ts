import { averagesOf } from '../analysis/figures.js';
import { messageOf } from '../base/errors.js';
import { mapConcurrently } from '../base/map-concurrently.js';
import type { ChartRenderer } from '../chart/chart-renderer.js';
import type { Config } from '../config/schema.js';
import type { CohortDisclosure } from './cohort-disclosure.js';
import type { PodResult } from './pod-result.js';

/** The next one waits at the drawing thread while one is drawn. */
const CHARTS_AT_ONCE = 2;

export interface DrawnCharts {
  /** pod_id to picture; a Pod without readings has none. */
  pictures: ReadonlyMap<string, Buffer>;
  warnings: string[];
}

/** Step 6, the picture: one per recipient, kept in memory until the run can no longer be stopped. */
export async function drawCharts(
  config: Config,
  renderer: ChartRenderer,
  pods: readonly PodResult[],
  disclose: CohortDisclosure,
  signal: AbortSignal,
): Promise<DrawnCharts> {
  const pictures = new Map<string, Buffer>();
  const warnings: string[] = [];
  const drawn = config.output.render_charts ? pods.filter((pod) => pod.readings.length > 0) : [];
  await mapConcurrently(drawn, CHARTS_AT_ONCE, async ({ owner, readings, summary }) => {
    const own = averagesOf(summary.measures);
    const cohort = disclose([owner.webId]).average_of_averages;
    try {
      pictures.set(owner.podId, await renderer.draw({ readings, own, cohort }, signal));
    } catch (error) {
      signal.throwIfAborted();
      warnings.push(`${owner.webId}: ${messageOf(error)}`);
    }
  });
  return { pictures, warnings: warnings.sort() };
}
