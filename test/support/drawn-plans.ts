import type { Figures } from '../../src/analysis/reading.js';
import type { ChartPlan } from '../../src/chart/chart-plan.js';
import { drawChart } from '../../src/chart/draw-chart.js';

/** Draws as ever, and keeps what it was given: what a plan does not hold, no picture can show. */
export function keepPlans() {
  const plans: ChartPlan[] = [];
  return {
    tools: {
      drawChart: (plan: ChartPlan) => {
        plans.push(plan);
        return drawChart(plan);
      },
    },
    plans,
    /** The lines of the cohort in the last picture of the Pod with these averages. */
    cohortBeside: (own: Figures): Figures | undefined =>
      plans.findLast((plan) => JSON.stringify(plan.own) === JSON.stringify(own))?.cohort,
  };
}
