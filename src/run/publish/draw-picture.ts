import { averagesOf } from '../../analysis/reading.js';
import { messageOf } from '../../base/errors.js';
import type { StudyPeriod } from '../../base/study-period.js';
import { type ChartPlan, planChart } from '../../chart/chart-plan.js';
import type { Told } from '../conclude/tell-cohort.js';
import type { PodReading } from '../read/pod-reading.js';

/** A PNG; throws when no chart can be drawn here. */
export type DrawChart = (plan: ChartPlan) => Promise<Buffer>;

/** Without readings, and with charts off, there is neither. */
export interface Picture {
  png: Buffer | null;
  warning: string | null;
}

export async function drawPicture(
  drawChart: DrawChart | null,
  { owner, readings, summary }: PodReading,
  { told, period }: { told: Told; period: StudyPeriod | null },
): Promise<Picture> {
  if (drawChart === null || readings.length === 0) return { png: null, warning: null };
  const own = averagesOf(summary.measures);
  const cohort = told.disclose([owner.root]).average_of_averages;
  try {
    const plan = planChart({ readings, own, cohort, noise: told.release?.noise, period });
    return { png: await drawChart(plan), warning: null };
  } catch (error) {
    return { png: null, warning: `${owner.webId}: ${messageOf(error)}` };
  }
}
