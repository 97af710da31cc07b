import { ServerError } from '../../base/errors.js';
import { present } from '../../base/lists.js';
import { canonicalResource, isFolder } from '../../pod/addresses.js';
import { mayBeWritten, type OpenTo, openTo } from '../../pod/answer-headers.js';
import { isNotRead, type NotRead, notRead } from '../../pod/outcome.js';
import { refusal } from '../../pod/read-resource.js';
import { listContainer } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Folder, FolderOutcome } from '../table/row.js';
import type { PodAsker } from './ask-pod.js';
import type { Asking } from './read-task.js';

const writable = notRead(
  'writable',
  'others than its owner may write to it, perhaps, so its key opens nothing and only files that were shared by themselves count: grant the Analyser read access only',
);

/** A listing that is open to everybody ends no share: the files decide. */
export async function listFolder(
  { client, asker, root }: { client: SolidClient; asker: PodAsker; root: string },
  { url, known }: Pick<Folder, 'url' | 'known'>,
  asking: Asking,
): Promise<{ outcome: FolderOutcome; openTo: OpenTo; files: readonly string[] }> {
  let allowed: string | undefined;
  const onHeaders = (headers: Readonly<Record<string, string>>) => {
    allowed = headers['wac-allow'];
  };
  const members = await asker.ask({ root, isKnown: known !== null, ...asking }, (how) =>
    listContainer(client, url, { ...how, onHeaders }).then(
      (found) => found ?? refusal(404),
      refusalOf,
    ),
  );
  if (isNotRead(members)) return { outcome: members, openTo: openTo(allowed), files: [] };
  const isWritable = mayBeWritten(allowed, 'public') || mayBeWritten(allowed, 'user');
  return {
    outcome: isWritable ? writable : { kind: 'listed' },
    openTo: openTo(allowed),
    files: present(members.filter((member) => !isFolder(member)).map(canonicalResource)),
  };
}

function refusalOf(error: unknown): NotRead {
  if (error instanceof ServerError && error.failure === 'refused') {
    const { status } = error.details;
    if (status !== undefined) return refusal(status);
  }
  throw error;
}
