import { compare } from '../../base/lists.js';
import type { PublishedRecord, ResultsDocument } from '../../documents/results-document.js';
import type { Triple } from '../../solid/turtle.js';
import type { AnalysisReport } from '../analysis-report.js';
import type { AnalysisTools } from '../analysis-tools.js';
import { buildCommonReport, buildReport, buildUnfinishedReport } from './build-report.js';
import { type AnalysisResults, buildRunDocument } from './build-run-document.js';
import type { CallerGroup } from './group-callers.js';
import type { OwnResult } from './hand-over.js';

export interface ServedCalls {
  /** The stored runs; calls of one WebID share one run. */
  runs: readonly StoredRun[];
  /** Failures on the Analyser's own side, because of which a caller did not get everything. */
  errors: readonly unknown[];
  /** Warnings for the operator's log; they name nobody. */
  notices: readonly string[];
}

export interface StoredRun {
  document: ResultsDocument;
  path: string;
}

/** What is published for the calls of one WebID, or for run-once. Each step completes it, in the order of the fields. */
export interface Publication {
  readonly group: CallerGroup;
  /** Recorded. Null if nothing is recorded of this caller, or could not be. */
  run: StoredRun | null;
  /** Written: the files of the charts by pod_id, and the own document of each recipient. */
  readonly charts: Map<string, string>;
  readonly results: OwnResult[];
  /** Handed over: lines for the Analyser's own permission log. */
  granted: readonly Triple[];
  readonly warnings: string[];
  /** Answered. */
  report: AnalysisReport | null;
  /** Why its calls fail, whatever has reached its recipients. */
  failure: { error: unknown } | null;
}

export function newPublication(group: CallerGroup): Publication {
  const nothing = { granted: [], warnings: [], report: null, failure: null };
  return { group, run: null, charts: new Map(), results: [], ...nothing };
}

interface Work {
  tools: Pick<AnalysisTools, 'config'>;
  analysis: AnalysisResults;
}

export function runDocumentOf(
  { group, charts, warnings }: Publication,
  published: PublishedRecord[],
  { tools, analysis }: Work,
): ResultsDocument {
  return buildRunDocument(tools.config, analysis, {
    runId: group.calls[0]?.runId ?? '',
    requestedBy: group.webId,
    recipients: group.recipients,
    charts: new Map([...charts].sort(([one], [other]) => compare(one, other))),
    published,
    warnings: warnings.toSorted(),
  });
}

export function reportOf(
  { group: { webId, isRecorded, unfinished } }: Publication,
  document: ResultsDocument,
  { tools, analysis }: Work,
): AnalysisReport {
  const { config } = tools;
  if (unfinished !== null)
    return buildUnfinishedReport(unfinished, analysis.readingSeconds, config);
  if (webId === null) return buildCommonReport(analysis, document);
  const report = buildReport(analysis, document, webId, config);
  return isRecorded ? report : { ...report, run_id: '' };
}
