import { ServerError } from '../../base/errors.js';
import type { UnlockedPod } from '../../pod/unlock-pod.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { type Finding, notice } from './judgements.js';

const MEGABYTE = 1024 * 1024;

/**
 * Whether the Analyser's permission log has grown so large that it slows analyses down. An error of the server does
 * not end the check.
 */
export async function examineLog(
  client: SolidClient,
  { documents: { permissionsLog } }: Pick<UnlockedPod, 'documents'>,
): Promise<Finding[]> {
  try {
    await client.request(permissionsLog, { maxBytes: MEGABYTE, headers: { accept: '*/*' } });
    return [];
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    if (error.failure !== 'too-large') return [];
    return notice(
      `${permissionsLog} is larger than 1 MB. Everybody may add to it, the storage server goes through all of it for each line, and every analysis adds one change: keep a copy and remove old lines, but leave the document and its rules of access (.acl) where they are.`,
    );
  }
}
