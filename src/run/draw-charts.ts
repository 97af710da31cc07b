import type { Disclose } from '../analysis/cohort-disclosure.js';
import { averagesOf } from '../analysis/figures.js';
import { messageOf } from '../base/errors.js';
import type { StudyPeriod } from '../base/study-period.js';
import { type ChartPlan, planChart } from '../chart/chart-plan.js';
import type { PodReading } from './read/pod-reading.js';

/** A PNG; throws when no chart can be drawn here. */
export type DrawChart = (plan: ChartPlan) => Promise<Uint8Array>;

/** The picture of a Pod, or why there is none; neither without readings. */
export type Picture = { png: Buffer | null; warning: string | null };

export const noPicture: Picture = { png: null, warning: null };

/** Step 6: draws the readings of a Pod beside the figures that its owner is told. */
export async function drawPicture(
  drawChart: DrawChart | null,
  { owner, readings, summary }: PodReading,
  { disclose, period }: { disclose: Disclose; period: StudyPeriod | null },
): Promise<Picture> {
  if (drawChart === null || readings.length === 0) return noPicture;
  const own = averagesOf(summary.measures);
  const cohort = disclose([owner.root]).average_of_averages;
  try {
    const plan = planChart({ readings, own, cohort, period });
    return { png: Buffer.from(await drawChart(plan)), warning: null };
  } catch (error) {
    return { png: null, warning: `${owner.webId}: ${messageOf(error)}` };
  }
}
