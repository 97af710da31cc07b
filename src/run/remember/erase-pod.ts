import type { ResultsDocument } from '../../documents/results-document.js';
import { canonicalRoot, publishedAddress } from '../../pod/addresses.js';
import { aclAddress } from '../../pod/documents/access-control-list.js';
import { requireSuccess } from '../../solid/require-success.js';
import type { ResultsStore } from '../../store/results-store.js';
import type { Connection } from '../connection.js';

interface Erasing {
  connection: Connection;
  results: ResultsStore;
  /** The folder of the published documents. */
  resultsDir: string;
  root: string;
  podId: string;
}

/** Removes the published documents of a Pod, and the Pod from the stored runs; returns a line for each. */
export async function erasePod({
  connection,
  results,
  resultsDir,
  root,
  podId,
}: Erasing): Promise<string[]> {
  const said: string[] = [];
  const { changed, unread } = await results.rewrite((document) => {
    const without = withoutPod(document, root, podId);
    return JSON.stringify(without) === JSON.stringify(document) ? null : without;
  });
  said.push(
    ...changed.map((runId) => `erased from run   ${runId}`),
    ...unread.map(
      (path) =>
        `not erased from   ${path}: this version cannot read it. Look at it, and remove it if it names this Pod.`,
    ),
  );
  await results.forgetChanges((id) => id === podId);
  for (const name of ['bp-average.json.enc.ttl', 'bp-average.json']) {
    const url = publishedAddress(connection.pod.documents, resultsDir, podId, name);
    if (await remove(connection, url)) said.push(`document removed  ${url}`);
  }
  return said;
}

/**
 * Returns whether there was a document or a list of its rules. Some servers leave the list behind, so it is removed
 * as well; an interrupted erasure can also have left only the list.
 */
async function remove({ client }: Connection, url: string): Promise<boolean> {
  let wasThere = false;
  for (const address of [url, aclAddress(url)]) {
    const answer = await client.request(address, { method: 'DELETE' });
    if (answer.status === 404) continue;
    requireSuccess(answer, 'removed');
    wasThere = true;
  }
  return wasThere;
}

export function withoutPod(
  document: ResultsDocument,
  root: string,
  podId: string,
): ResultsDocument {
  const isOwner = (webId: string) => canonicalRoot(webId) === root;
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
        .map((entry) => ({
          ...entry,
          recipients: entry.recipients.filter((webId) => !isOwner(webId)),
          failures: Object.fromEntries(
            Object.entries(entry.failures).filter(([webId]) => !isOwner(webId)),
          ),
        })),
    },
    warnings: document.warnings.filter((warning) => !warning.includes(root)),
  };
}
