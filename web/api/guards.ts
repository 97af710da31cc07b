import type { AnalysisSummary, PodFigures } from '../../src/documents/analysis-summary.js';
import type { ChartDocument, MeanPoint, ReadingPoint } from '../../src/documents/chart-document.js';
import type {
  PodEntry,
  PublishedEntry,
  ResultsDocument,
} from '../../src/documents/results-document.js';
import type { PodsNews } from '../pods/comings.js';
import {
  arrayOf,
  type Guard,
  isBoolean,
  isNumber,
  isString,
  literal,
  nullable,
  optional,
  recordOf,
  shape,
} from './shape.js';

export type Cohort = ResultsDocument['cohort'];
export type Figures = Cohort['average_of_averages'];
type DaysAverage = NonNullable<PodEntry['home']>;
type Carried = NonNullable<PodEntry['carried']>;
export type Measure = PodEntry['measures']['systolic'];

const isFigure = nullable(isNumber);
const isFigures = shape<Figures>({
  systolic: isFigure,
  diastolic: isFigure,
  heart_rate: isFigure,
});

const isMeasure = shape<Measure>({
  average: isFigure,
  minimum: isFigure,
  maximum: isFigure,
  standard_deviation: isFigure,
  count: isNumber,
});

const isCohort = shape<Cohort>({
  pod_count: isNumber,
  included_pod_count: isNumber,
  carried_pod_count: optional(isNumber),
  observation_count: isNumber,
  average_of_averages: isFigures,
  pooled_average: isFigures,
  spread_of_averages: isFigures,
});

const isCounted = shape<Carried['measures']['systolic']>({
  average: nullable(isNumber),
  count: isNumber,
});

const isCarried = shape<Carried>({
  from: isString,
  observation_count: isNumber,
  measures: shape<Carried['measures']>({
    systolic: isCounted,
    diastolic: isCounted,
    heart_rate: isCounted,
  }),
});

const isDaysAverage = shape<DaysAverage>({
  from: isString,
  to: isString,
  days: isNumber,
  readings: isNumber,
  average: isFigures,
  morning: nullable(isFigures),
  evening: nullable(isFigures),
  first_day_left_out: isBoolean,
});

const isMeasures = shape<PodEntry['measures']>({
  systolic: isMeasure,
  diastolic: isMeasure,
  heart_rate: isMeasure,
});

const isPodEntry = shape<PodEntry>({
  pod_id: isString,
  web_id: isString,
  pod_root: isString,
  observation_count: isNumber,
  files_read: isNumber,
  files_skipped: isNumber,
  included_in_cohort: isBoolean,
  first_observation: nullable(isString),
  last_observation: nullable(isString),
  measures: isMeasures,
  home: optional(nullable(isDaysAverage)),
  recent: optional(nullable(isDaysAverage)),
  notes: arrayOf(isString),
  carried: optional(isCarried),
});

const isPublishedEntry = shape<PublishedEntry>({
  kind: literal('pod-average', 'cohort-average'),
  pod_id: isString,
  resource_url: isString,
  recipients: arrayOf(isString),
  failures: recordOf(isString),
});

const isPeriod = shape<NonNullable<ChartDocument['period']>>({
  from: nullable(isString),
  until: nullable(isString),
});

export const isResultsDocument: Guard<ResultsDocument> = shape<ResultsDocument>({
  schema_version: literal(1),
  run_id: isString,
  generated_at: isString,
  requested_by: nullable(isString),
  analyser: shape<ResultsDocument['analyser']>({
    web_id: isString,
    app_dir_name: isString,
    server_url: isString,
  }),
  analysis: shape<ResultsDocument['analysis']>({
    minimum_observations: isNumber,
    window_days: nullable(isNumber),
    period: optional(isPeriod),
  }),
  cohort: isCohort,
  pods: arrayOf(isPodEntry),
  charts: shape<ResultsDocument['charts']>({ pods: recordOf(isString) }),
  // The pages show the exact figures; which release callers were sent is told by the API.
  sharing: shape<Omit<ResultsDocument['sharing'], 'cohort_release'>>({
    enabled: isBoolean,
    published: arrayOf(isPublishedEntry),
  }),
  warnings: arrayOf(isString),
});

/** One analysis, with a Pod's figures where they were asked for. */
export interface Analysis extends AnalysisSummary {
  pod?: PodFigures | null | undefined;
}

/** Of /api/analyses. */
export const isAnalysesBody = shape<{ analyses: Analysis[]; total: number; next: string | null }>({
  analyses: arrayOf(
    shape<Analysis>({
      generated_at: isString,
      cohort: isCohort,
      joined: arrayOf(isString),
      left: arrayOf(isString),
      changed: arrayOf(isString),
      runs: arrayOf(
        shape<Analysis['runs'][number]>({
          run_id: isString,
          warnings: isNumber,
          failed_deliveries: isNumber,
        }),
      ),
      pod: optional(
        nullable(
          shape<PodFigures>({
            observation_count: isNumber,
            included_in_cohort: isBoolean,
            measures: isMeasures,
          }),
        ),
      ),
    }),
  ),
  total: isNumber,
  next: nullable(isString),
});

/** Of /api/pods: what the results document does not have. */
export const isPodsNews = shape<PodsNews>({
  pods: arrayOf(
    shape<PodsNews['pods'][number]>({
      pod_id: isString,
      first_seen: nullable(isString),
      last_change: nullable(isString),
    }),
  ),
  left: arrayOf(shape<PodsNews['left'][number]>({ pod_id: isString, left_at: isString })),
  since: nullable(isString),
});

/** Of /api/pods/<pod_id>: whether there is a chart to ask for. */
export const isChartNews = shape<{ has_chart: boolean }>({ has_chart: isBoolean });

const chartFields = {
  schema_version: literal(1),
  positions: literal('time', 'order'),
  reading_count: isNumber,
  undated_count: isNumber,
  home: optional(shape<NonNullable<ChartDocument['home']>>({ from: isNumber, to: isNumber })),
  period: optional(isPeriod),
  own: isFigures,
  cohort: isFigures,
};

const isReadingsChart = shape<Extract<ChartDocument, { drawn: 'readings' }>>({
  ...chartFields,
  drawn: literal('readings'),
  points: arrayOf(
    shape<ReadingPoint>({
      at: isNumber,
      systolic: isFigure,
      diastolic: isFigure,
      heart_rate: isFigure,
    }),
  ),
});

const isMean = nullable(
  shape<NonNullable<MeanPoint['systolic']>>({ mean: isNumber, low: isNumber, high: isNumber }),
);

const isMeansChart = shape<Extract<ChartDocument, { drawn: 'rolling_mean' }>>({
  ...chartFields,
  drawn: literal('rolling_mean'),
  points: arrayOf(
    shape<MeanPoint>({ at: isNumber, systolic: isMean, diastolic: isMean, heart_rate: isMean }),
  ),
});

export const isChartDocument: Guard<ChartDocument> = (value): value is ChartDocument =>
  isReadingsChart(value) || isMeansChart(value);
