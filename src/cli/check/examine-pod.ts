import { mapConcurrently } from '../../base/concurrency.js';
import { AccessRulesError, AnalyserError } from '../../base/errors.js';
import { present } from '../../base/lists.js';
import type { Config, Secrets } from '../../config/schema.js';
import { withheldWarning } from '../../documents/withheld.js';
import { readRules } from '../../pod/access-control.js';
import { canonicalResource, isFolder } from '../../pod/addresses.js';
import { readInbox } from '../../pod/inbox.js';
import { type Connection, createAnalyserClient, unlock } from '../../run/connection.js';
import { withoutInbox } from '../../run/read-inbox-and-memory.js';
import { memoryAccess } from '../../run/remember/memory-access.js';
import { classifyShare, misspelledIn, shareRules } from '../../run/table/classify-share.js';
import { gatherShares } from '../../run/table/gather-shares.js';
import { askedOf, filesOf, type Pod, type Row } from '../../run/table/row.js';
import { listContainer } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { openResultsStore } from '../../store/results-store.js';
import { withheldNow } from '../operator/describe-release.js';
import { judgeInbox, judgePublicKey } from './judgements.js';

/** What was found so far: an examination can end early, at the login or the unlock. */
export interface Examined {
  login: string;
  unlock: string;
  shares: SharedResource[] | null;
  /** The Pods behind the shares, with the files that are shared, by themselves or in a folder. */
  contributing: CountedPod[];
  /** No entry names them now: they count while the Analyser may read them. */
  remembered: CountedPod[];
  /** Items of data.excluded_pods that leave out nothing that is shared: perhaps withdrawn, perhaps misspelt. */
  idle: string[];
  /** Analyses or calls fail because of these; each message says what to do. */
  problems: string[];
  warnings: string[];
}

export interface CountedPod {
  web_id: string;
  files: number;
}

interface SharedResource {
  kind: 'folder' | 'file';
  modes: readonly string[];
  url: string;
  excluded: boolean;
}

export async function examinePod(
  config: Config,
  secrets: Secrets,
  examined: Examined,
): Promise<void> {
  const client = createAnalyserClient(config, secrets);
  let opened: { close(): Promise<void> } = client;
  try {
    await client.login();
    examined.login = 'ok';
    examined.unlock = 'failed';
    const connection = await unlock(client, config, secrets);
    opened = connection;
    const { pod } = connection;
    examined.unlock = `ok (key derivation version ${pod.encKeys.keyVersion})`;
    const { publicKey, sharedFolder } = pod.documents;
    examined.problems.push(
      ...(pod.hasAccessLists
        ? judgeInbox(sharedFolder, await readRules(client, sharedFolder))
        : [new AccessRulesError(pod.root).message]),
      ...judgePublicKey(publicKey, await client.request(publicKey)),
    );
    await examineShares(connection, config, examined);
  } finally {
    await opened.close();
  }
}

async function examineShares(
  connection: Connection,
  config: Config,
  examined: Examined,
): Promise<void> {
  const { client, pod, opener } = connection;
  const rules = shareRules(config, pod.root);
  const asking = { isInView: () => true, objectionTo: misspelledIn(rules), withModes: true };
  const inbox = await readInbox(client, pod, opener, asking).catch(withoutInbox);
  const classified = inbox.shares.map((share) => ({
    ...share,
    ...classifyShare(share.url, rules),
  }));
  examined.shares = classified.map(({ kind, modes, url }) => ({
    kind: isFolder(url) ? 'folder' : 'file',
    modes,
    url,
    excluded: kind === 'excluded',
  }));
  const notInView = classified.filter((share) => !('owner' in share)).map(({ url }) => url);
  const results = openResultsStore(config.output.results_dir);
  const found = await memoryAccess(connection, config, results.history).read();
  const withheld = await withheldNow(found.memory, results);
  const gathered = gatherShares({ ...inbox, notInView }, found.memory, rules, found.keyedDigest);
  const { warnings } = examined;
  const known = [...inbox.shares.map(({ url }) => url), ...found.memory.pods.keys()];
  examined.idle = config.data.excluded_pods.filter(
    (scope) => gathered.whyInboxUnread === null && !known.some((url) => url.startsWith(scope)),
  );
  if (withheld !== null) warnings.push(withheldWarning(withheld));
  warnings.push(...gathered.warnings);
  const isShared = ({ mayHaveEntry }: Pick<Row, 'mayHaveEntry'>) =>
    mayHaveEntry && gathered.whyInboxUnread === null;
  const sharedIn = (pod: Pod) =>
    askedOf(pod)
      .filter(isShared)
      .map(({ url }) => url);
  const folders = gathered.pods.flatMap(sharedIn).filter(isFolder);
  const listed = await mapConcurrently(folders, LISTED_AT_ONCE, async (folder) => {
    const files = await filesIn(client, folder, warnings);
    return [folder, files.filter(gathered.isData)] as const;
  });
  const filesOfFolder = new Map(listed);
  const isCovered = (row: Row) => isShared(row) || (row.folder !== null && isShared(row.folder));
  for (const pod of gathered.pods) {
    const web_id = pod.owner.webId;
    const shared = sharedIn(pod);
    const files = new Set(shared.flatMap((url) => filesOfFolder.get(url) ?? [url]));
    if (shared.length > 0) examined.contributing.push({ web_id, files: files.size });
    const remembered = filesOf(pod).filter((file) => !isCovered(file)).length;
    if (remembered > 0) examined.remembered.push({ web_id, files: remembered });
  }
}

const LISTED_AT_ONCE = 16;

async function filesIn(client: SolidClient, folder: string, warnings: string[]): Promise<string[]> {
  try {
    const members = (await listContainer(client, folder)) ?? [];
    return present(members.filter((url) => !isFolder(url)).map(canonicalResource));
  } catch (error) {
    if (!(error instanceof AnalyserError)) throw error;
    warnings.push(`${folder}: the shared folder could not be listed: ${error.message}`);
    return [];
  }
}
