import { drawChart } from '../chart/draw-chart.js';
import type { Config } from '../config/schema.js';
import { openChartStore } from '../store/chart-store.js';
import { openResultsStore } from '../store/results-store.js';
import type { Observer } from './observer.js';
import type { PodReader } from './read/read-task.js';

export type AnalysisTools = ReturnType<typeof createAnalysisTools>;

/** What every analysis of one configuration works with. */
export function createAnalysisTools(config: Config, observe: Observer, podReader: PodReader) {
  return {
    config,
    podReader,
    drawChart,
    results: openResultsStore(config.output.results_dir),
    charts: openChartStore(config.output),
    now: () => new Date(),
    observe,
  };
}
