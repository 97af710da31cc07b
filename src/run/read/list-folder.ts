import { ServerError } from '../../base/errors.js';
import { type NotRead, notRead, type Outcome } from '../../pod/outcome.js';
import { mayBeWritten, type OpenTo, openTo } from '../../pod/public-access.js';
import { refusal } from '../../pod/read-resource.js';
import { canonicalResource, isFolder } from '../../pod/resource-address.js';
import { listContainer } from '../../solid/documents/container.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Row } from '../table/row.js';
import type { PodAsker } from './ask-pod.js';

/** What a shared folder gave. */
interface Listing {
  outcome: Outcome;
  openTo: OpenTo;
  /** The files directly in the folder, canonical. */
  files: readonly string[];
}

const writable = notRead(
  'writable',
  'others than its owner may write to it, perhaps, so its key opens nothing and only files that were shared by themselves count: grant the Analyser read access only',
);

/** Lists a shared folder. A listing that is open to everybody ends no share: the files decide. */
export async function listFolder(
  { client, asker, root }: { client: SolidClient; asker: PodAsker; root: string },
  { url, known }: Pick<Row, 'url' | 'known'>,
  signal: AbortSignal,
): Promise<Listing> {
  let allowed: string | undefined;
  const onHeaders = (headers: Readonly<Record<string, string>>) => {
    allowed = headers['wac-allow'];
  };
  const given = await asker.ask({ root, isRemembered: known !== null, signal }, (tries) =>
    listContainer(client, url, { signal, tries, onHeaders }).catch(refusalOf),
  );
  const answer = 'kind' in given ? given : (given.answer ?? refusal(404));
  if ('kind' in answer) {
    return { outcome: answer, openTo: openTo(allowed), files: [] };
  }
  const isWritable = mayBeWritten(allowed, 'public') || mayBeWritten(allowed, 'user');
  return {
    outcome: isWritable ? writable : { kind: 'read', key: null },
    openTo: openTo(allowed),
    files: answer.flatMap((member) => (isFolder(member) ? [] : (canonicalResource(member) ?? []))),
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
