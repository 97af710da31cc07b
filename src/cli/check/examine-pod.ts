import { mapConcurrently } from '../../base/concurrency.js';
import { AccessRulesError, AnalyserError, messageOf } from '../../base/errors.js';
import type { Config, Secrets } from '../../config/schema.js';
import { withheldWarning } from '../../documents/withheld.js';
import { digestsOf } from '../../memory/digests.js';
import type { Pod } from '../../memory/pod-table.js';
import { readRules } from '../../pod/access-control.js';
import { readInbox } from '../../pod/inbox/read-inbox.js';
import { canonicalResource, isFolder } from '../../pod/resource-address.js';
import { type Connection, createAnalyserClient, unlock } from '../../run/connection.js';
import {
  classifyShare,
  isData,
  misspelledIn,
  shareRules,
} from '../../run/gather/classify-share.js';
import { type Gathered, gatherShares } from '../../run/gather/gather-shares.js';
import { unreadInbox } from '../../run/gather/read-inbox-and-memory.js';
import { memoryAccess } from '../../run/remember/keep-memory.js';
import { listContainer } from '../../solid/documents/container.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { openResultsStore } from '../../store/results-store.js';
import { type Finding, judgeInbox, notice, stopping } from './judgements.js';

/** What was found so far: an examination can end early, at the login or the unlock. */
export interface Examined {
  login: string;
  unlock: string;
  shares: SharedResource[];
  /** Null until the shares were read. */
  pods: { web_id: string; files: number }[] | null;
  findings: Finding[];
}

interface SharedResource {
  kind: 'folder' | 'file';
  modes: readonly string[];
  url: string;
  /** The operator leaves out its Pod. */
  excluded: boolean;
}

/** Logs in once, unlocks the Pod, and examines who may write to its inbox and what is shared. */
export async function examinePod(
  config: Config,
  secrets: Secrets,
  examined: Examined,
): Promise<void> {
  const client = createAnalyserClient(config, secrets);
  try {
    await client.login();
    examined.login = 'ok';
    examined.unlock = 'failed';
    const connection = await unlock(client, config, secrets);
    const { pod } = connection;
    examined.unlock = `ok (key derivation version ${pod.keyVersion})`;
    try {
      examined.findings.push(
        ...(pod.hasAccessLists
          ? await examineInbox(connection)
          : stopping(new AccessRulesError(pod.root).message)),
      );
      await examineShares(connection, config, examined);
    } finally {
      await connection.close();
    }
  } finally {
    await client.close();
  }
}

async function examineInbox({ client, pod }: Connection): Promise<Finding[]> {
  const { sharedFolder } = pod.documents;
  return judgeInbox(sharedFolder, await readRules(client, sharedFolder));
}

async function examineShares(
  connection: Connection,
  config: Config,
  examined: Examined,
): Promise<void> {
  const { client, pod, opener } = connection;
  const rules = shareRules(config, pod.root);
  const asking = { wanted: () => true, objectionTo: misspelledIn(rules), withModes: true };
  const inbox = await readInbox(client, pod, opener, asking).catch(unreadInbox);
  const classes = inbox.shares.map(({ url }) => classifyShare(url, rules));
  examined.shares = inbox.shares.map(({ modes, url }, index) => ({
    kind: isFolder(url) ? 'folder' : 'file',
    modes,
    url,
    excluded: classes[index]?.kind === 'excluded',
  }));
  const notWanted = inbox.shares.map(({ url }) => url).filter((url) => !isData(url, rules));
  const results = openResultsStore(config.output.results_dir);
  const found = await memoryAccess(connection, config, results.history).read();
  const { withheld } = found.memory;
  const gathered = gatherShares({ ...inbox, notWanted }, found.memory, rules, digestsOf(found));
  const warnings = [
    ...(withheld === null ? [] : [withheldWarning(withheld)]),
    ...gathered.warnings,
  ];
  examined.pods = await mapConcurrently(gathered.pods, PODS_AT_ONCE, async (pod) => ({
    web_id: pod.owner.webId,
    files: await countFiles(client, pod, gathered, warnings),
  }));
  examined.findings.push(...warnings.flatMap(notice));
}

const PODS_AT_ONCE = 16;

/** How many files an analysis would ask for: those with an entry, those read before, and those in shared folders. */
async function countFiles(
  client: SolidClient,
  { rows }: Pod,
  { wants }: Pick<Gathered, 'wants'>,
  warnings: string[],
): Promise<number> {
  const files = new Set<string>();
  for (const url of rows.keys()) {
    if (!isFolder(url)) {
      files.add(url);
      continue;
    }
    try {
      const members = await listContainer(client, url);
      if (members === undefined)
        warnings.push(`${url}: the shared folder does not exist any more.`);
      for (const member of members ?? []) {
        const file = canonicalResource(member);
        if (file !== null && !isFolder(file) && wants(file)) files.add(file);
      }
    } catch (error) {
      if (!(error instanceof AnalyserError)) throw error;
      warnings.push(`${url}: the shared folder could not be listed: ${messageOf(error)}`);
    }
  }
  return files.size;
}
