import type { ResultsDocument } from '../../documents/results-document.js';
import { canonicalRoot, podIdOfRoot, publishedAddress } from '../../pod/addresses.js';
import { aclAddress } from '../../pod/documents/access-control-list.js';
import { requireSuccess } from '../../solid/require-success.js';
import { chartStem } from '../../store/chart-store.js';
import type { ResultsStore } from '../../store/results-store.js';
import type { Connection } from '../connection.js';

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
  const podIds = new Set([podIdOfRoot(root)]);
  const said: string[] = [];
  for (const runId of await results.listRuns()) {
    const run = await results.readRun(runId);
    if (run.state !== 'found') continue;
    for (const { pod_id } of run.document.sharing.published) {
      if (isTheirs(chartStem(pod_id))) podIds.add(pod_id);
    }
    const without = withoutPod(run.document, root, isTheirs);
    if (JSON.stringify(without) === JSON.stringify(run.document)) continue;
    await results.write(without);
    said.push(`erased from run   ${runId}`);
  }
  for (const podId of podIds) {
    for (const name of ['bp-average.json.enc.ttl', 'bp-average.json']) {
      const url = publishedAddress(connection.pod.documents, resultsDir, podId, name);
      if (await remove(connection, url)) said.push(`document removed  ${url}`);
    }
  }
  return said;
}

/** Whether there was one. Its rules of access go with it, on some servers by themselves. */
async function remove({ client }: Connection, url: string): Promise<boolean> {
  const answer = await client.request(url, { method: 'DELETE' });
  if (answer.status === 404) return false;
  requireSuccess(answer, 'removed');
  const rules = await client.request(aclAddress(url), { method: 'DELETE' });
  if (rules.status !== 404) requireSuccess(rules, 'removed');
  return true;
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
