import type { ResultsDocument } from '../../documents/results-document.js';
import type { PodResult } from '../read/pod-result.js';

/** More Pods than this are worth a warning, however many others there are. */
const MANY_PODS = 10;
const MANY_FILES = 20;

/**
 * Warns when many Pods stopped sharing since the run before: anybody can remove entries from the
 * inbox, which cannot be prevented, only noticed. Null otherwise, as one or two Pods that leave
 * are nobody's business.
 */
export function findVanishedShares(
  before: Pick<ResultsDocument, 'run_id' | 'pods'>,
  now: readonly Pick<PodResult, 'owner' | 'filesRead' | 'filesSkipped'>[],
): string | null {
  const filesNow = new Map(
    now.map(({ owner, filesRead, filesSkipped }) => [owner.webId, filesRead + filesSkipped]),
  );
  let pods = 0;
  let files = 0;
  let filesBefore = 0;
  for (const { web_id, files_read, files_skipped } of before.pods) {
    const had = files_read + files_skipped;
    const has = filesNow.get(web_id) ?? 0;
    filesBefore += had;
    files += Math.max(0, had - has);
    if (has === 0) pods += 1;
  }
  const podsStandOut = pods > MANY_PODS || (pods > 1 && pods * 2 >= before.pods.length);
  const filesStandOut = files > MANY_FILES && files * 2 >= filesBefore;
  if (!podsStandOut && !filesStandOut) return null;
  const what = podsStandOut
    ? `${pods} of the ${before.pods.length} Pods`
    : `${files} of the ${filesBefore} files`;
  return (
    `${what} of run ${before.run_id} are no longer shared. Their owners may have taken them back; ` +
    'but anybody can remove entries from the inbox, so compare it with the permission log.'
  );
}
