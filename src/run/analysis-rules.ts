import type { AnalysisRules } from '../analysis/sums.js';
import { studyPeriod } from '../base/study-period.js';
import type { Config } from '../config/schema.js';

/** The rules by which readings count in an analysis at this moment. */
export function analysisRules({ analysis }: Pick<Config, 'analysis'>, now: Date): AnalysisRules {
  return { now: now.getTime(), windowDays: analysis.window_days, period: studyPeriod(analysis) };
}
