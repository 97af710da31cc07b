import { ServerError } from '../../base/errors.js';
import type { Fate, FolderFate } from '../../memory/fate.js';
import { findOwnershipDoubt, openTo } from '../../pod/public-access.js';
import { isRefusal, refusal } from '../../pod/read-resource.js';
import { canonicalResource, isFolder } from '../../pod/resource-address.js';
import { listContainer } from '../../solid/documents/container.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { PodAsker } from './ask-pod.js';
import type { ShareToRead } from './read-task.js';

export interface Listing extends FolderFate {
  /** The files in it that can hold readings, canonical; null when it could not be listed. */
  members: readonly string[] | null;
  /** Others than its owner can put files there. */
  isWritable: boolean;
  warning: string | null;
}

/** Kinds of files that can hold readings; the folder's own rules and subfolders never match. */
const readable = /\.(enc\.ttl|json|csv)$/i;

/** Whether a member of a shared folder can hold readings. */
export function canHoldReadings(url: string): boolean {
  return readable.test(url);
}

/** Lists a shared folder, with the fate that it has by that. */
export async function listFolder(
  { client, asker, root }: { client: SolidClient; asker: PodAsker; root: string },
  { url, mayHaveEntry }: ShareToRead,
  { signal, tries }: { signal: AbortSignal; tries: number | undefined },
): Promise<Listing> {
  let allowed: string | undefined;
  const onHeaders = (headers: Readonly<Record<string, string>>) => {
    allowed = headers['wac-allow'];
  };
  const given = await asker.ask(root, signal, () =>
    listContainer(client, url, { signal, tries, onHeaders }).catch(refusalOf),
  );
  const isWritable = findOwnershipDoubt(allowed, { isEncrypted: true }) !== null;
  const listing = { url, openTo: openTo(allowed), members: null, isWritable };
  const leaveOut = (fate: Fate, reason: string): Listing => ({
    ...listing,
    fate,
    // Nobody misses what was taken back together with its entry.
    warning:
      fate.kind === 'ended' && !mayHaveEntry
        ? null
        : `${url}: the shared folder was left out: ${reason}`,
  });
  if ('fate' in given) return leaveOut(given.fate, given.cause || given.reason);
  const { answer = 404 } = given;
  if (typeof answer === 'number') {
    const fate: Fate = isRefusal(answer)
      ? { kind: 'ended', by: 'refusal' }
      : { kind: 'missing', because: 'answer' };
    return leaveOut(fate, refusal(answer));
  }
  if (listing.openTo === 'everybody' && !mayHaveEntry) {
    return leaveOut({ kind: 'ended', by: 'public' }, 'everybody may read it');
  }
  const deeper = answer.filter(isFolder).length;
  return {
    ...listing,
    members: answer.filter(canHoldReadings).flatMap((member) => canonicalResource(member) ?? []),
    // Strangers could put files there, so the folder proves nothing.
    fate: isWritable
      ? { kind: 'missing', because: 'answer' }
      : { kind: 'read', key: null, folder: null },
    warning:
      deeper === 0
        ? null
        : `${url}: only files directly in a shared folder are read; folders in it left out: ${deeper}`,
  };
}

/** The status of a refusal, which is an answer. */
function refusalOf(error: unknown): number {
  if (error instanceof ServerError && error.failure === 'refused') {
    const { status } = error.details;
    if (status !== undefined) return status;
  }
  throw error;
}
