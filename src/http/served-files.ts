import type { OutputConfig } from '../config/schema.js';
import { type ChartStore, openChartStore } from '../store/chart-store.js';
import type { AnalysisHistory } from '../store/history.js';
import { openResultsStore, type ResultsStore } from '../store/results-store.js';

/** Everything that the API can read about persons and their Pods. */
export interface ServedFiles {
  results: Pick<ResultsStore, 'readLatest' | 'readRun' | 'listRuns'>;
  history: Pick<AnalysisHistory, 'list'>;
  charts: Pick<ChartStore, 'has' | 'read'>;
}

export function openServedFiles(output: OutputConfig): ServedFiles {
  const results = openResultsStore(output.results_dir);
  return {
    results,
    history: results.history,
    charts: openChartStore(output),
  };
}
