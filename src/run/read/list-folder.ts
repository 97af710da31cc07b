import { ServerError } from '../../base/errors.js';
import { hasEnded, type NotRead, notRead, type Outcome } from '../../pod/outcome.js';
import { mayBeWritten, type OpenTo, openTo } from '../../pod/public-access.js';
import { refusal } from '../../pod/read-resource.js';
import { canonicalResource, isFolder } from '../../pod/resource-address.js';
import { listContainer } from '../../solid/documents/container.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { PodAsker } from './ask-pod.js';
import type { ShareToRead } from './read-task.js';

export interface Listing {
  outcome: Outcome;
  openTo: OpenTo;
  /** The files in the folder that can hold readings, canonical; null when the folder could not be listed. */
  members: readonly string[] | null;
  warning: string | null;
}

/** Kinds of files that can hold readings; the folder's own rules and subfolders never match. */
const readable = /\.(enc\.ttl|json|csv)$/i;

/** Whether a member of a shared folder can hold readings. */
export function canHoldReadings(url: string): boolean {
  return readable.test(url);
}

const writable = notRead(
  'writable',
  'others than its owner may write to it, perhaps, so its key opens nothing and only files that were shared by themselves count: grant the Analyser read access only',
);

/** Lists a shared folder. A listing that is open to everybody ends no share: the files decide. */
export async function listFolder(
  { client, asker, root }: { client: SolidClient; asker: PodAsker; root: string },
  { url, mayHaveEntry, isRemembered }: ShareToRead,
  signal: AbortSignal,
): Promise<Listing> {
  let allowed: string | undefined;
  const onHeaders = (headers: Readonly<Record<string, string>>) => {
    allowed = headers['wac-allow'];
  };
  const given = await asker.ask({ root, isRemembered, signal }, (tries) =>
    listContainer(client, url, { signal, tries, onHeaders }).catch(refusalOf),
  );
  const warn = (what: string) => `${url}: ${what}`;
  const leaveOut = (outcome: NotRead): Listing => ({
    outcome,
    openTo: openTo(allowed),
    members: null,
    // An owner who revoked the share and removed its entry needs no warning.
    warning:
      hasEnded(outcome) && !mayHaveEntry
        ? null
        : warn(`the shared folder was left out: ${outcome.cause || outcome.reason}`),
  });
  if ('kind' in given) return leaveOut(given);
  const { answer = refusal(404) } = given;
  if ('kind' in answer) return leaveOut(answer);
  const deeper = answer.filter(isFolder).length;
  const isWritable = mayBeWritten(allowed, 'public') || mayBeWritten(allowed, 'user');
  const ofFolders = `only files directly in a shared folder are read; folders in it left out: ${deeper}`;
  return {
    outcome: isWritable ? writable : { kind: 'read', key: null },
    openTo: openTo(allowed),
    members: answer.filter(canHoldReadings).flatMap((member) => canonicalResource(member) ?? []),
    warning: isWritable ? warn(writable.reason) : deeper === 0 ? null : warn(ofFolders),
  };
}

/** Turns a refusal into an outcome; throws any other error. */
function refusalOf(error: unknown): NotRead {
  if (error instanceof ServerError && error.failure === 'refused') {
    const { status } = error.details;
    if (status !== undefined) return refusal(status);
  }
  throw error;
}
