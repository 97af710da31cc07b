import { studyPeriod } from '../../base/study-period.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import type { AnalysisTools } from '../analysis-tools.js';
import type { AnalysisResults } from '../build-results-document.js';
import type { Connection } from '../connection.js';
import { ownPodClient } from '../own-pod-client.js';
import { groupCallers, type ServedCalls, type Serving, serve } from '../serve-callers.js';
import type { NamedCall } from '../turn.js';
import { documentKeys } from './document-keys.js';
import { Publication } from './publish.js';

/** How long callers wait at most for what is written to the Analyser's own Pod. Nobody waits for run-once. */
const LIMIT_MS = 60_000;

interface Publishing extends Omit<Serving, 'publication'> {
  before: FoundMemory;
  /** The calls that were not stopped. */
  calls: readonly NamedCall[];
  /** Aborts when the service stops and waits no longer. */
  stop: AbortSignal;
}

/** Steps 6 to 8, past the last checkpoint. */
export async function publishResults(
  tools: AnalysisTools,
  connection: Connection,
  analysis: AnalysisResults,
  { before, calls, stop, ...serving }: Publishing,
): Promise<ServedCalls> {
  const { config, now } = tools;
  const { sharing } = config;
  const { client, pod } = connection;
  const groups = groupCallers(calls, analysis.conclusion, analysis.gathered);
  const recipients = groups.flatMap((group) => group.recipients);
  if (!sharing.enabled || recipients.length === 0) {
    return await serve(tools, analysis, groups, { ...serving, publication: null });
  }
  const limitMs = groups.some(({ webId }) => webId === null) ? null : LIMIT_MS;
  const own = ownPodClient(client, pod.root, { limitMs, stop });
  const { generatedAt, told } = analysis;
  const settings = {
    ...{ sharing, analyser: pod, generatedAt, disclose: told.disclose },
    period: studyPeriod(config.analysis),
  };
  const keyOf = sharing.encrypt_results ? documentKeys(connection, before) : null;
  const publication = new Publication(connection, own, settings, keyOf, now);
  try {
    return await serve(tools, analysis, groups, { ...serving, publication });
  } finally {
    own.end();
  }
}
