import { drawChart } from '../chart/draw-chart.js';
import type { Config } from '../config/schema.js';
import { type ChartStore, openChartStore } from '../store/chart-store.js';
import { openResultsStore, type ResultsStore } from '../store/results-store.js';
import type { Observer } from './observer.js';
import type { DrawChart } from './publish/draw-picture.js';
import type { PodReader } from './read/read-task.js';

/** What every analysis of one configuration works with. */
export interface AnalysisTools {
  config: Config;
  podReader: PodReader;
  drawChart: DrawChart;
  results: ResultsStore;
  charts: ChartStore;
  now: () => Date;
  observe: Observer;
}

export function createAnalysisTools(
  config: Config,
  observe: Observer,
  podReader: PodReader,
): AnalysisTools {
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
