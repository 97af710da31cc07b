import type { FoundMemory } from '../../memory/stored-memory.js';
import type { AnalysisReport } from '../analysis-report.js';
import type { AnalysisTools } from '../analysis-tools.js';
import type { NamedCall } from '../assignment.js';
import type { Connection } from '../connection.js';
import { limits } from '../limits.js';
import { ownPodClient } from '../own-pod-client.js';
import { answerCalls, type ServedCalls } from './answer-calls.js';
import type { AnalysisResults } from './build-run-document.js';
import { documentKeys } from './document-keys.js';
import { groupCallers } from './group-callers.js';
import { publishCohort, recordRuns, type Work, writeOwnDocuments } from './write-results.js';

interface Serving extends Pick<Work, 'pictureOf' | 'onRecipient'> {
  before: FoundMemory;
  /** The calls that were not cancelled before the last checkpoint. */
  calls: readonly NamedCall[];
  answer: (callId: string, report: AnalysisReport) => void;
  writingEnds: AbortSignal;
}

/**
 * What is left of step 6, and steps 7 and 8, past the last checkpoint. Each phase takes what the one before returns. A
 * failure for one caller does not affect the others: it goes along with their group, whose calls fail in the end.
 */
export async function serveCallers(
  tools: AnalysisTools,
  connection: Connection,
  analysis: AnalysisResults,
  { before, calls, answer, writingEnds, pictureOf, onRecipient }: Serving,
): Promise<ServedCalls> {
  const { config } = tools;
  const { sharing } = config;
  const { groups, unfinished } = groupCallers(
    calls,
    analysis.conclusion.contributors,
    analysis.gathered,
  );
  const isForAll = groups.some(({ webId }) => webId === null);
  const analyserPod = ownPodClient(connection.client, connection.pod.root, {
    limitMs: isForAll ? null : limits.ownPodMs,
    writingEnds,
  });
  const settings = {
    sharing,
    analyser: connection.pod,
    disclose: analysis.told.disclose,
    generatedAt: analysis.generatedAt,
    period: analysis.period,
  };
  const keyOf = sharing.encrypt_results ? documentKeys(connection, before) : null;
  const publishing = sharing.enabled ? { connection, analyserPod, settings, keyOf } : null;
  const work: Work = { tools, analysis, publishing, pictureOf, onRecipient };
  try {
    const recorded = await recordRuns(groups, work);
    const written = await writeOwnDocuments(recorded, work);
    const published = await publishCohort(written, work);
    return await answerCalls(published, unfinished, answer, work);
  } finally {
    analyserPod.end();
  }
}
