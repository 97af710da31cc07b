import { countOf } from '../../base/count-of.js';
import { AccessRulesError } from '../../base/errors.js';
import type { Config, Secrets } from '../../config/schema.js';
import { aclAddress, parseAcl } from '../../pod/documents/access-control-list.js';
import { readInbox } from '../../pod/inbox/read-inbox.js';
import { isFolder } from '../../pod/resource-address.js';
import { createAnalyserClient, disconnect, unlock } from '../../run/connect.js';
import type { Connection } from '../../run/connection.js';
import { classifyShare, shareRules } from '../../run/discover/classify-share.js';
import { arrangeShares, readLedger } from '../../run/discover/discover-shares.js';
import { knownShares } from '../../run/discover/known-shares.js';
import { ownerNames } from '../../run/discover/owner-names.js';
import { breakerFor } from '../../run/read/circuit-breaker.js';
import { getTurtle } from '../../solid/documents/get-turtle.js';
import type { WebIdHolder } from '../../solid/solid-client.js';
import { examineRelease } from './examine-release.js';
import { type Finding, stopping } from './finding.js';
import { judgeCredentials, judgeInbox, judgeOrigins } from './judgements.js';
import type { CheckReport } from './report.js';

/**
 * Logs in once, unlocks the Pod and looks at what is shared. Findings are added to `findings` on the
 * way, so that they are not lost when a step throws.
 */
export async function examinePod(
  config: Config,
  secrets: Secrets,
  report: CheckReport,
  findings: Finding[],
): Promise<void> {
  const client = createAnalyserClient(config, secrets);
  try {
    await tried(report, 'login', 'Login', client.login());
    report.value('login', 'Login', 'ok', 'good');
    findings.push(...(await examineCredentials(client, config)));
    const unlocking = unlock(client, config, secrets);
    const connection = await tried(report, 'unlock', 'Unlock', unlocking);
    const { pod } = connection;
    report.value('unlock', 'Unlock', `ok (key derivation version ${pod.keyVersion})`, 'good');
    try {
      if (!pod.hasAccessLists) findings.push(...stopping(new AccessRulesError(pod.root).message));
      findings.push(...(await examineInbox(connection)));
      findings.push(...(await examineShares(connection, config, report)));
      findings.push(...(await examineRelease(connection, config, report)));
    } finally {
      await disconnect(connection);
    }
  } finally {
    await client.close();
  }
}

/** Reports a step that fails under its label, before the error ends the mode. */
function tried<T>(report: CheckReport, key: string, label: string, step: Promise<T>): Promise<T> {
  return step.catch((error: unknown) => {
    report.value(key, label, 'failed', 'bad');
    throw error;
  });
}

/** Looks at the token of the new login, which a proof carries. */
async function examineCredentials(client: WebIdHolder, { analyser }: Config): Promise<Finding[]> {
  const { authorization } = await client.proveWebId(analyser.server_url);
  return judgeCredentials(authorization.replace(/^DPoP /, ''), analyser.web_id);
}

async function examineInbox({ client, pod }: Connection): Promise<Finding[]> {
  const { sharedFolder } = pod.documents;
  const acl = await getTurtle(client, aclAddress(sharedFolder));
  return judgeInbox(sharedFolder, acl === undefined ? null : parseAcl(acl));
}

async function examineShares(
  connection: Connection,
  config: Config,
  report: CheckReport,
): Promise<Finding[]> {
  const { client, pod, opener } = connection;
  const reading = readInbox(client, pod, opener, { wanted: () => true, withModes: true });
  const inbox = await tried(report, 'shared_resources', 'Shared resources', reading);
  report.list(
    'shared_resources',
    'Shared resources',
    inbox.entries.map(({ modes, url }) => ({
      kind: isFolder(url) ? 'folder' : 'file',
      modes,
      url,
    })),
    ({ kind, modes, url }) => `${kind.padEnd(6)}  ${modes.join(',')}  ${url}`,
  );
  const rules = shareRules(config, pod.root);
  const { warnings, kept } = await readLedger(connection, config);
  const known = knownShares(inbox, kept, connection.ledger, rules);
  const removed = [...known.shares.keys()].filter((url) => !known.announced.has(url));
  if (removed.length > 0) {
    report.list('removed_entries', 'Without an entry', removed, (url) => `read before  ${url}`);
  }
  const urls = inbox.entries.map(({ url }) => url);
  const shares = await arrangeShares(
    connection,
    rules,
    {
      ...known,
      warnings: [...warnings, ...inbox.warnings, ...known.warnings],
      // All shares were read; those that an analysis would refuse are warned of in the same words.
      notWanted: urls.filter((url) => classifyShare(url, rules).kind === 'refused'),
    },
    breakerFor(config, pod, null),
    new AbortController().signal,
  );
  const nameOf = ownerNames(shares);
  report.list(
    'contributing_pods',
    'Contributing Pods',
    shares.pods.map(({ owner, files }) => {
      // No file is opened here, so every share counts.
      const traces = files.map(({ url, isAnnounced }) => ({
        url,
        isAnnounced,
        outcome: 'unknown' as const,
      }));
      return { web_id: nameOf({ owner, traces }).webId, files: files.length };
    }),
    ({ web_id, files }) => `${web_id}  ${countOf(files, 'file')}`,
  );
  if (shares.warnings.length > 0) {
    report.list('warnings', 'Warnings', shares.warnings, (warning) => warning);
  }
  return judgeOrigins(urls, rules.allowedOrigins);
}
