import { ServerError } from '../../base/errors.js';
import { findOwnershipDoubt } from '../../pod/public-access.js';
import { canonicalResource, isFolder } from '../../pod/resource-address.js';
import { listContainer } from '../../solid/documents/container.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { throwIfStopped } from '../read/by-server.js';
import { type CircuitBreaker, isMissing } from '../read/circuit-breaker.js';
import type { UnlistedFolder } from './shared-files.js';

/** Kinds of files that can hold readings; the folder's own rules and subfolders never match. */
const readable = /\.(enc\.ttl|json|csv)$/i;

/** A 401 does not count: it is about the login, not about the folder. */
export function isTakenBack({ status }: Pick<UnlistedFolder, 'status'>): boolean {
  return status === 403 || status === 404 || status === 410;
}

/** Lists the files of a shared folder that can hold readings; says why if it cannot be listed. */
export async function expandFolder(
  client: SolidClient,
  folder: string,
  breaker: CircuitBreaker,
  signal: AbortSignal,
) {
  const leaveOut = (reason: string, status: number | null, isUnanswered = false) => ({
    members: null,
    warning: `${folder}: the shared folder was left out: ${reason}`,
    unlisted: { url: folder, status, isUnanswered },
  });
  if (breaker.isGone(folder)) return leaveOut('its server gives no answers', null, true);
  let isWritable = false;
  const onHeaders = (headers: Readonly<Record<string, string>>) => {
    isWritable = findOwnershipDoubt(headers['wac-allow'], { isEncrypted: true }) !== null;
  };
  try {
    const members = await listContainer(client, folder, { signal, onHeaders });
    breaker.recordAnswer(folder);
    if (members === undefined) {
      return leaveOut('access was revoked or it was deleted (HTTP 404)', 404);
    }
    const files = members.filter((url) => readable.test(url));
    const deeper = members.filter(isFolder).length;
    return {
      members: files.flatMap((url) => canonicalResource(url) ?? []),
      /** Whether others than its owner can put files there. */
      isWritable,
      warning:
        deeper === 0
          ? null
          : `${folder}: only files directly in a shared folder are read; folders in it left out: ${deeper}`,
    };
  } catch (error) {
    throwIfStopped(signal);
    const failure = breaker.recordFailure(error, folder);
    const status = failure instanceof ServerError ? (failure.details.status ?? null) : null;
    if (status === 401) {
      return leaveOut('its server does not accept the login of the Analyser (HTTP 401)', status);
    }
    if (status === 403) return leaveOut('access was revoked (HTTP 403)', status);
    return leaveOut(failure.message, status, isMissing(failure));
  }
}
