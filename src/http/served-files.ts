import type { OutputConfig } from '../config/schema.js';
import { type AnalysisList, openAnalysisList } from '../store/analysis-list.js';
import { type ChartStore, openChartStore } from '../store/chart-store.js';
import { openResultsStore, type ResultsStore } from '../store/results-store.js';

/** Everything that the API can read about persons and their Pods. */
export interface ServedFiles {
  results: Pick<ResultsStore, 'readLatest' | 'readRun'>;
  analyses: Pick<AnalysisList, 'list' | 'listRuns' | 'courses'>;
  charts: Pick<ChartStore, 'has' | 'read'>;
}

export function openServedFiles(output: OutputConfig): ServedFiles {
  const results = openResultsStore(output.results_dir);
  return {
    results,
    analyses: openAnalysisList(output.results_dir, results),
    charts: openChartStore(output),
  };
}
