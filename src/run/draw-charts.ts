import type { Disclose } from '../analysis/cohort-disclosure.js';
import { averagesOf } from '../analysis/figures.js';
import { messageOf } from '../base/errors.js';
import type { StudyPeriod } from '../base/study-period.js';
import { type ChartPlan, planChart } from '../chart/chart-plan.js';
import type { ChartDocument } from '../documents/chart-document.js';
import type { PodReading } from './read/read-task.js';

/** A PNG; throws when no chart can be drawn here. */
export type DrawChart = (plan: ChartPlan) => Promise<Uint8Array>;

export interface DrawnChart {
  png: Buffer;
  /** What the picture shows. */
  document: ChartDocument;
}

export interface DrawnCharts {
  /** The roots of the Pods that were to be drawn. */
  roots: ReadonlySet<string>;
  /** Pictures by pod_id; a Pod without readings has none. */
  pictures: ReadonlyMap<string, DrawnChart>;
  /** By WebID, why a Pod has no picture. */
  warnings: ReadonlyMap<string, string>;
}

/** Step 6: the pictures, which stay in memory until the analysis can no longer be stopped. */
export async function drawCharts(
  drawChart: DrawChart | null,
  pods: readonly PodReading[],
  { disclose, period }: { disclose: Disclose; period: StudyPeriod | null },
  signal?: AbortSignal,
): Promise<DrawnCharts> {
  const pictures = new Map<string, DrawnChart>();
  const warnings = new Map<string, string>();
  for (const { owner, readings, summary } of pods) {
    if (drawChart === null || readings.length === 0) continue;
    signal?.throwIfAborted();
    const own = averagesOf(summary.measures);
    const cohort = disclose([owner.root]).average_of_averages;
    try {
      const plan = planChart({ readings, own, cohort, period });
      const png = Buffer.from(await drawChart(plan));
      pictures.set(owner.podId, { png, document: plan.figures });
    } catch (error) {
      warnings.set(owner.webId, `${owner.webId}: ${messageOf(error)}`);
    }
  }
  signal?.throwIfAborted();
  const roots = new Set(pods.map(({ owner }) => owner.root));
  return { roots, pictures, warnings };
}
