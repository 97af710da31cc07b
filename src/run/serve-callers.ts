import { mapConcurrently } from '../base/concurrency.js';
import type { AnalysisResults } from './build-results-document.js';
import type { CallerGroup } from './group-callers.js';
import { type ServedCalls, ServedGroup, type ServeTools } from './served-group.js';

/** How many callers' own documents are written at a time. All of them go to one Pod, the Analyser's. */
const CALLERS_AT_ONCE = 8;

/**
 * Steps 6 to 8, past the last checkpoint: writes everybody's own documents, then the one document of the cohort. Then
 * hands over and answers for all callers side by side, so that nobody waits for another's Pod. A failure for one caller
 * does not affect the others.
 */
export async function serveCallers(
  tools: ServeTools,
  analysis: AnalysisResults,
  callers: readonly CallerGroup[],
): Promise<ServedCalls> {
  const served: ServedCalls = { documents: new Map(), errors: [] };
  const groups = callers.map((caller) => new ServedGroup(tools, analysis, caller, served));
  await mapConcurrently(groups, CALLERS_AT_ONCE, async (group) => {
    await group.prepare();
    if (group.deliveries.length === 0) await group.end();
  });
  const open = groups.filter(({ deliveries }) => deliveries.length > 0);
  try {
    if (open.length > 0) await tools.requireLock();
    await tools.publication?.writeCohort(open.flatMap(({ deliveries }) => deliveries));
  } catch (error) {
    for (const group of open) group.fail(error);
    return served;
  }
  await Promise.all(open.map((group) => group.end()));
  return served;
}
