import { mapConcurrently } from '../../base/concurrency.js';
import { AccessRulesError, AnalyserError, messageOf } from '../../base/errors.js';
import { groupBy } from '../../base/lists.js';
import { countOf } from '../../base/sentences.js';
import type { Config, Secrets } from '../../config/schema.js';
import { digestsOf } from '../../memory/digests.js';
import type { Pod } from '../../memory/pod-table.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { readRules } from '../../pod/access-control.js';
import { readInbox } from '../../pod/inbox/read-inbox.js';
import { isFolder } from '../../pod/resource-address.js';
import type { UnlockedPod } from '../../pod/unlock-pod.js';
import { type Connection, createAnalyserClient, unlock } from '../../run/connection.js';
import { classifyShare, misspelledIn, shareRules } from '../../run/gather/classify-share.js';
import { gatherShares } from '../../run/gather/gather-shares.js';
import { unreadInbox } from '../../run/gather/read-inbox-and-memory.js';
import { memoryPlace } from '../../run/remember/keep-memory.js';
import { listContainer } from '../../solid/documents/container.js';
import { getTurtle } from '../../solid/documents/get-turtle.js';
import type { SolidClient, WebIdHolder } from '../../solid/solid-client.js';
import { openResultsStore } from '../../store/results-store.js';
import type { CheckReport } from './check-report.js';
import { examineLog } from './examine-log.js';
import { examineMemory } from './examine-memory.js';
import {
  type Finding,
  judgeCredentials,
  judgeInbox,
  judgeModes,
  judgeRefused,
  notice,
  stopping,
} from './judgements.js';

/** Logs in once, unlocks the Pod, and examines its shares, the memory and the access to its folders. */
export async function examinePod(
  config: Config,
  secrets: Secrets,
  report: CheckReport,
): Promise<void> {
  const client = createAnalyserClient(config, secrets);
  try {
    await tried(report, 'login', 'Login', client.login());
    report.value('login', 'Login', 'ok', 'good');
    report.found(await examineCredentials(client, config));
    const unlocking = unlock(client, config, secrets);
    const connection = await tried(report, 'unlock', 'Unlock', unlocking);
    const { pod } = connection;
    report.value('unlock', 'Unlock', `ok (key derivation version ${pod.keyVersion})`, 'good');
    try {
      report.found(
        pod.hasAccessLists
          ? await examineInbox(connection)
          : stopping(new AccessRulesError(pod.root).message),
      );
      report.found(await examineInboxSize(client, pod, report));
      report.found(await examineLog(client, pod));
      await examineKnown(connection, config, report).catch(exceptOfFolders);
    } finally {
      await connection.close();
    }
  } finally {
    await client.close();
  }
}

/** If the step fails, reports this under its label and passes the error on. */
function tried<T>(report: CheckReport, key: string, label: string, step: Promise<T>): Promise<T> {
  return step.catch((error: unknown) => {
    report.value(key, label, 'failed', 'bad');
    throw error;
  });
}

/** Judges the access token of the new login. A proof of the WebID carries this token, so it is read from a proof. */
async function examineCredentials(client: WebIdHolder, { analyser }: Config): Promise<Finding[]> {
  const { authorization } = await client.proveWebId(analyser.server_url);
  return judgeCredentials(authorization.replace(/^DPoP /, ''), analyser.web_id);
}

async function examineInbox({ client, pod }: Connection): Promise<Finding[]> {
  const { sharedFolder } = pod.documents;
  return judgeInbox(sharedFolder, await readRules(client, sharedFolder));
}

const SIZE = 'http://www.w3.org/ns/posix/stat#size';
const MEGABYTE = 1024 * 1024;
/** Far above the entries of ten thousand readings. */
const LARGE_MB = 100;

/** The size of the files directly in the folder that everybody may write to, if the server tells sizes. */
async function examineInboxSize(
  client: SolidClient,
  { documents: { sharedFolder } }: UnlockedPod,
  report: CheckReport,
): Promise<Finding[]> {
  const listing = await getTurtle(client, sharedFolder).catch(() => undefined);
  if (listing === undefined) return [];
  const sizes = [...listing.subjects()]
    .filter((subject) => subject !== sharedFolder && subject.startsWith(sharedFolder))
    .flatMap((subject) => listing.literals(subject, SIZE))
    .map(Number);
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE;
  const shown = `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB in ${countOf(sizes.length, 'file')}`;
  report.value('inbox_size', 'Inbox', shown, megabytes < LARGE_MB ? 'good' : 'careful');
  if (megabytes < LARGE_MB) return [];
  return notice(
    `${sharedFolder} holds ${shown}. Everybody may write there, and a full Pod takes no memory and no results: remove what is not shared-keys.ttl.`,
  );
}

/** Examines the shares and the memory. The folders of this machine are needed for this as well. */
async function examineKnown(
  connection: Connection,
  config: Config,
  report: CheckReport,
): Promise<void> {
  const results = openResultsStore(config.output.results_dir);
  const place = memoryPlace(connection, config, results);
  const found = await place.read();
  await examineShares(connection, config, found, report);
  report.found(await examineMemory(config, found, { results, report }));
}

/** Ignores an error of the disk: `examineFolders` reports a folder that cannot be used, with its key. */
function exceptOfFolders(error: unknown): void {
  if (!(error instanceof AnalyserError && error.kind === 'disk')) throw error;
}

async function examineShares(
  connection: Connection,
  config: Config,
  found: FoundMemory,
  report: CheckReport,
): Promise<void> {
  const { client, pod, opener } = connection;
  const rules = shareRules(config, pod.root);
  const asking = { wanted: () => true, objectionTo: misspelledIn(rules), withModes: true };
  const inbox = await readInbox(client, pod, opener, asking).catch(unreadInbox);
  report.files(
    'shared_resources',
    'Shared resources',
    inbox.shares.map(({ modes, url }) => ({
      kind: isFolder(url) ? 'folder' : 'file',
      modes,
      url,
    })),
    ({ kind, modes, url }) => `${kind.padEnd(6)}  ${modes.join(',')}  ${url}`,
  );
  const refused = inbox.shares.flatMap(({ url }) => {
    const share = classifyShare(url, rules);
    return share.kind === 'refused' ? [{ url, reason: share.reason }] : [];
  });
  const shares = gatherShares(inbox, found.memory, rules, digestsOf(found));
  const removed = shares.pods.flatMap(({ rows }) =>
    [...rows.values()].filter(({ hasEntry }) => !hasEntry),
  );
  if (removed.length > 0) {
    report.files(
      'removed_entries',
      'Without an entry',
      removed,
      ({ url }) => `read before, not announced now  ${url}`,
    );
  }
  // What an analysis would ask for, with shares that only the memory knows.
  const counted = await countFiles(client, shares.pods, shares.wants);
  report.list(
    'contributing_pods',
    'Contributing Pods',
    counted.pods,
    ({ web_id, files }) => `${web_id}  ${countOf(files, 'file')}`,
  );
  report.shared(
    counted.pods.length,
    counted.pods.reduce((sum, { files }) => sum + files, 0),
  );
  report.found(judgeRefused(refused));
  report.found(judgeModes(inbox.shares));
  report.found([...shares.warnings, ...counted.warnings].flatMap(notice));
}

/** A folder costs one request, and few people share more than one. */
const FOLDERS_AT_ONCE = 16;

/** How many files each Pod shares. No file is opened here, so files that an analysis would leave out are included. */
async function countFiles(
  client: SolidClient,
  pods: readonly Pod[],
  wants: (url: string) => boolean,
) {
  const warnings: string[] = [];
  const filesOf = async (url: string): Promise<string[]> => {
    if (!isFolder(url)) return [url];
    try {
      const members = await listContainer(client, url);
      if (members !== undefined) return members.filter(wants);
      warnings.push(`${url}: the shared folder does not exist any more.`);
    } catch (error) {
      warnings.push(`${url}: the shared folder could not be listed: ${messageOf(error)}`);
    }
    return [];
  };
  const shares = pods.flatMap(({ owner, rows }) =>
    [...rows.keys()].map((url) => ({ webId: owner.webId, url })),
  );
  const found = await mapConcurrently(shares, FOLDERS_AT_ONCE, async ({ webId, url }) => ({
    webId,
    files: await filesOf(url),
  }));
  const byPod = groupBy(found, ({ webId }) => webId);
  return {
    pods: Array.from(byPod, ([web_id, of]) => ({
      web_id,
      files: new Set(of.flatMap(({ files }) => files)).size,
    })),
    warnings: warnings.sort(),
  };
}
