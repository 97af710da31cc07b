import { chunksOf } from '../../base/lists.js';
import { countOf, withoutFullStop } from '../../base/sentences.js';
import { addToLog, LINES_AT_ONCE } from '../../pod/sharing/permissions-log.js';
import type { UnlockedPod } from '../../pod/unlock-pod.js';
import type { Triple } from '../../solid/documents/turtle-document.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { failureOf } from './share-result-keys.js';

/**
 * Writes all grants of an analysis into the Analyser's own permission log, as far as the server takes them: nobody's
 * result depends on this log. Returns warnings.
 */
export async function logOwnGrants(
  client: SolidClient,
  pod: UnlockedPod,
  granted: readonly Triple[],
): Promise<string[]> {
  let written = 0;
  for (const lines of chunksOf(granted, LINES_AT_ONCE)) {
    const failure = await failureOf(addToLog(client, pod, lines));
    if (failure !== null) {
      return [
        `${countOf(granted.length - written, 'line')} could not be written into the Analyser's own permission log, ${pod.documents.permissionsLog}, and will be missing there: ${withoutFullStop(failure.message)}.`,
      ];
    }
    written += lines.length;
  }
  return [];
}
