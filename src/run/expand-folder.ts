import { ServerError } from '../base/errors.js';
import { canonicalResource, isFolder } from '../pod/resource-address.js';
import { listContainer } from '../solid/container.js';
import type { SolidClient } from '../solid/solid-client.js';
import type { ServerPatience } from './server-patience.js';

/** Only kinds that can hold readings; never the folder's own rules, nor what lies deeper. */
const readable = /\.(enc\.ttl|json|csv)$/i;

/** The files of a shared folder. A folder that cannot be listed is a warning. */
export async function expandFolder(
  client: SolidClient,
  folder: string,
  patience: ServerPatience,
  signal: AbortSignal,
): Promise<{ members: string[]; warning: string | null }> {
  const leaveOut = (reason: string) => ({
    members: [],
    warning: `${folder}: the shared folder was left out: ${reason}`,
  });
  if (patience.isGone(folder)) return leaveOut('its server gives no answers');
  try {
    const members = await listContainer(client, folder, { signal });
    patience.answered(folder);
    if (members === undefined) return leaveOut('access was revoked or it was deleted (HTTP 404)');
    const files = members.filter((url) => readable.test(url));
    const deeper = members.filter(isFolder).length;
    return {
      members: files.flatMap((url) => canonicalResource(url) ?? []),
      warning:
        deeper === 0
          ? null
          : `${folder}: only files directly in a shared folder are read; folders in it left out: ${deeper}`,
    };
  } catch (error) {
    signal.throwIfAborted();
    const endured = patience.endure(error, folder);
    const status = endured instanceof ServerError ? endured.details.status : undefined;
    if (status === 401 || status === 403) return leaveOut(`access was revoked (HTTP ${status})`);
    return leaveOut(endured.message);
  }
}
