import { ConcurrencyLimit } from '../../base/concurrency.js';
import { AnalyserError, ServerError } from '../../base/errors.js';
import { chunksOf } from '../../base/lists.js';
import { countOf, withoutFullStop } from '../../base/sentences.js';
import { text } from '../../pod/documents/write-turtle.js';
import { addToLog, LINES_AT_ONCE } from '../../pod/sharing/permissions-log.js';
import { vocabulary as v } from '../../pod/vocabulary.js';
import type { Triple } from '../../solid/documents/turtle-document.js';
import type { LogBacklog } from '../../store/log-backlog.js';
import type { PodAccess } from '../connection.js';
import { limitedClient } from './limited-client.js';

/** Generous, because the server goes through the whole log for each change. */
const LOG_MS = 30_000;

/**
 * Writes all grants of an analysis into the Analyser's own permission log, with the lines that an earlier
 * analysis could not write. Lines that fail now are kept for the next analysis. Returns warnings.
 */
export async function logOwnGrants(
  { client, pod }: PodAccess,
  backlog: LogBacklog,
  granted: readonly Triple[],
): Promise<string[]> {
  const earlier = await backlog.read();
  const lines = [...earlier.map(({ subject, line }) => text(subject, v.log, line)), ...granted];
  const { permissionsLog } = pod.documents;
  const message = `${permissionsLog} took more than ${LOG_MS / 1000} seconds.`;
  const tooSlow = new ServerError('slow', message, { url: permissionsLog });
  const limited = limitedClient(client, new ConcurrencyLimit(1), LOG_MS, tooSlow);
  let written = 0;
  let failure: AnalyserError | null = null;
  try {
    for (const some of chunksOf(lines, LINES_AT_ONCE)) {
      await addToLog(limited, pod, some);
      written += some.length;
    }
  } catch (error) {
    if (!(error instanceof AnalyserError)) throw error;
    failure = error;
  }
  const left = lines.slice(written);
  if (left.length > 0 || earlier.length > 0) await backlog.write(left.flatMap(stored));
  if (failure === null) return [];
  return [
    `${countOf(left.length, 'line')} could not be written into the Analyser's own permission log: ${withoutFullStop(failure.message)}. The next analysis tries again.`,
  ];
}

function stored({ subject, object }: Triple) {
  return 'literal' in object ? [{ subject, line: object.literal }] : [];
}
