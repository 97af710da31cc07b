import { AnalyserError } from '../../base/errors.js';
import { withoutFullStop } from '../../base/sentences.js';
import type { Config } from '../../config/schema.js';
import type { ResultsDocument } from '../../documents/results-document.js';
import { deleteWithRules, removeReader } from '../../pod/access-control.js';
import { canonicalRoot, parentFolder, publishedAddress, webIdOfRoot } from '../../pod/addresses.js';
import { removeResourceKeys } from '../../pod/resource-keys.js';
import { isLineAbout, removeFromLog } from '../../pod/sharing/permissions-log.js';
import { isAbsent } from '../../solid/documents.js';
import type { ResultsStore } from '../../store/results-store.js';
import type { Connection } from '../connection.js';
import { cohortAddress, ownAddress } from '../publish/recipient-documents.js';

interface Erasing {
  connection: Connection;
  config: Config;
  results: ResultsStore;
  root: string;
  podId: string;
}

export interface Erasure {
  removed: string[];
  /** What the operator has to look at. */
  left: string[];
}

export async function erasePod(erasing: Erasing): Promise<Erasure> {
  const erasure: Erasure = { removed: [], left: [] };
  await eraseFromRuns(erasing, erasure);
  await eraseDocuments(erasing, erasure);
  await eraseFromLog(erasing, erasure);
  return erasure;
}

async function eraseFromRuns(
  { results, root, podId }: Erasing,
  { removed, left }: Erasure,
): Promise<void> {
  const { changed, unread } = await results.rewrite((document) => {
    const without = withoutPod(document, root, podId);
    return JSON.stringify(without) === JSON.stringify(document) ? null : without;
  });
  for (const runId of changed) removed.push(`erased from run   ${runId}`);
  for (const path of unread) {
    left.push(
      `${path}: this version cannot read it. Look at it, and remove it if it names this Pod.`,
    );
  }
}

/** The result with its rules, its folder and its key; and the WebID in the rules of the cohort document. */
async function eraseDocuments(
  { connection: { client, pod }, config: { sharing }, root, podId }: Erasing,
  { removed, left }: Erasure,
): Promise<void> {
  const settings = { sharing, analyser: pod };
  const own = ownAddress(settings, podId);
  const plain = publishedAddress(pod.documents, sharing.results_dir, podId, 'bp-average.json');
  for (const url of [own, plain]) {
    if (await deleteWithRules(client, url)) removed.push(`document removed  ${url}`);
  }
  // It is named after the Pod. The server keeps it if there is more in it.
  const folder = parentFolder(own);
  const answer = await client.request(folder, { method: 'DELETE' });
  if (answer.status < 300) removed.push(`folder removed    ${folder}`);
  else if (!isAbsent(answer)) {
    left.push(`${folder}: HTTP ${answer.status}. Look at what lies there, and remove it.`);
  }
  const keys = await removeResourceKeys(client, pod, [own, plain]);
  removed.push(...keys.map((url) => `key removed       ${url}`));
  const resource = cohortAddress(settings);
  if (await removeReader(client, { resource, pod, agent: webIdOfRoot(root) })) {
    removed.push(`access ended      ${resource}`);
  }
}

/** Everybody may add to the log, so it can be too large to read. Then it is named; the rest is erased. */
async function eraseFromLog(
  { connection: { client, pod }, root }: Erasing,
  { removed, left }: Erasure,
): Promise<void> {
  const { permissionsLog } = pod.documents;
  try {
    const lines = await removeFromLog(client, pod, isLineAbout(root));
    if (lines > 0) removed.push(`log lines removed ${lines}`);
  } catch (error) {
    if (!(error instanceof AnalyserError)) throw error;
    const reason = withoutFullStop(error.message);
    left.push(`${permissionsLog}: ${reason}. Remove the lines that name this Pod.`);
  }
}

export function withoutPod(
  document: ResultsDocument,
  root: string,
  podId: string,
): ResultsDocument {
  const isOwner = (webId: string) => canonicalRoot(webId) === root;
  // Why a result could not be written names its address, of which the pod_id is a part.
  const isAbout = (warning: string) => [root, `/${podId}/`].some((name) => warning.includes(name));
  const { pods, charts, sharing, requested_by } = document;
  return {
    ...document,
    requested_by: requested_by !== null && isOwner(requested_by) ? null : requested_by,
    pods: pods.filter(({ pod_root }) => pod_root !== root),
    charts: {
      pods: Object.fromEntries(Object.entries(charts.pods).filter(([id]) => id !== podId)),
    },
    sharing: {
      ...sharing,
      published: sharing.published
        .filter(({ pod_id }) => pod_id !== podId)
        .map((record) => ({
          ...record,
          recipients: record.recipients.filter((webId) => !isOwner(webId)),
          failures: Object.fromEntries(
            Object.entries(record.failures).filter(([webId]) => !isOwner(webId)),
          ),
        })),
    },
    warnings: document.warnings.filter((warning) => !isAbout(warning)),
  };
}
