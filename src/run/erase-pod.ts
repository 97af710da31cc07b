import type { ResultsDocument } from '../documents/results-document.js';
import { canonicalRoot } from '../pod/addresses.js';
import { aclAddress } from '../pod/documents/access-control-list.js';
import { encodeSegment } from '../pod/resource-address.js';
import { listContainer } from '../solid/documents/container.js';
import { requireSuccess } from '../solid/require-success.js';
import { chartStem } from '../store/chart-store.js';
import type { ResultsStore } from '../store/results-store.js';
import type { Connection } from './connection.js';

interface Erasing {
  connection: Connection;
  results: ResultsStore;
  /** The folder of the published documents. */
  resultsDir: string;
  /** Whether a chart of this name is that of the Pod; published documents go by the same name. */
  isTheirs: (chartStem: string) => boolean;
}

/** Removes what was published for a Pod, and the Pod from the stored runs; says what, line by line. */
export async function erasePod(
  { connection, results, resultsDir, isTheirs }: Erasing,
  root: string,
): Promise<string[]> {
  const removed = await removePublished(connection, resultsDir, isTheirs);
  const changed: string[] = [];
  for (const runId of await results.listRuns()) {
    const run = await results.readRun(runId);
    if (run.state !== 'found') continue;
    const without = withoutPod(run.document, root, isTheirs);
    if (JSON.stringify(without) === JSON.stringify(run.document)) continue;
    await results.write(without);
    changed.push(runId);
  }
  return [
    ...removed.map((url) => `document removed  ${url}`),
    ...changed.map((runId) => `erased from run   ${runId}`),
  ];
}

async function removePublished(
  { client, pod }: Connection,
  resultsDir: string,
  isTheirs: Erasing['isTheirs'],
): Promise<string[]> {
  const path = ['data', ...resultsDir.split('/')].map(encodeSegment).join('/');
  const folders = (await listContainer(client, `${pod.documents.app}${path}/`, {})) ?? [];
  const removed: string[] = [];
  for (const folder of folders) {
    const name = /([^/]+)\/$/.exec(folder)?.[1];
    if (name === undefined || !isTheirs(chartStem(decodeURIComponent(name)))) continue;
    const documents = (await listContainer(client, folder, {})) ?? [];
    for (const url of documents.filter((one) => !one.endsWith('/'))) {
      for (const one of [url, aclAddress(url)]) {
        const answer = await client.request(one, { method: 'DELETE' });
        // Rules of access go with their document on many servers.
        if (answer.status !== 404) requireSuccess(answer, 'removed');
      }
      removed.push(url);
    }
  }
  return removed;
}

export function withoutPod(
  document: ResultsDocument,
  root: string,
  isTheirs: Erasing['isTheirs'],
): ResultsDocument {
  const isOwner = (webId: string) => canonicalRoot(webId) === root;
  const isPod = (podId: string) => isTheirs(chartStem(podId));
  const names = [root, ...document.pods.filter(({ pod_root }) => pod_root === root).map(rootOf)];
  const { pods, charts, sharing, requested_by } = document;
  return {
    ...document,
    requested_by: requested_by !== null && isOwner(requested_by) ? null : requested_by,
    pods: pods.filter(({ pod_root }) => pod_root !== root),
    charts: {
      pods: Object.fromEntries(Object.entries(charts.pods).filter(([podId]) => !isPod(podId))),
    },
    sharing: {
      ...sharing,
      published: sharing.published
        .filter(({ pod_id }) => !isPod(pod_id))
        .map((entry) => ({
          ...entry,
          recipients: entry.recipients.filter((webId) => !isOwner(webId)),
          failures: Object.fromEntries(
            Object.entries(entry.failures).filter(([webId]) => !isOwner(webId)),
          ),
        })),
    },
    warnings: document.warnings.filter((warning) => names.every((name) => !warning.includes(name))),
  };
}

/** As the owner's app spells it. */
function rootOf({ web_id }: { web_id: string }): string {
  return web_id.replace(/profile\/card#me$/, '');
}
