import { studyPeriod } from '../../base/study-period.js';
import type { Config } from '../../config/schema.js';
import { digestsOf } from '../../memory/digests.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { readInbox } from '../../pod/inbox/read-inbox.js';
import type { Connection } from '../connection.js';
import { isData, misspelledIn, shareRules } from '../gather/classify-share.js';
import { gatherShares } from '../gather/gather-shares.js';
import { readShares } from '../read/read-shares.js';

/**
 * The digests of those keys of other Pods that really open a file of this Pod. An analysis never tries them, and
 * anybody can write an entry that gives a key to a file. Here only the operator sees the answer.
 */
export async function findForeignKeysThatOpen(
  connection: Connection,
  config: Config,
  found: FoundMemory,
  root: string,
): Promise<ReadonlySet<string>> {
  const { client, pod, opener } = connection;
  const rules = shareRules(config, pod.root);
  const wanted = (url: string) => isData(url, rules);
  const inbox = await readInbox(client, pod, opener, { wanted, objectionTo: misspelledIn(rules) });
  const digestOf = digestsOf(found);
  const shares = gatherShares(inbox, found.memory, rules, digestOf);
  const ofPod = shares.pods
    .filter(({ owner }) => owner.root === root)
    .map((theirs) => ({ ...theirs, shares: theirs.shares.map(withForeignAsOwn) }));
  const { window_days: windowDays, plausible } = config.analysis;
  const now = Date.now();
  const readings = await readShares(connection, ofPod, {
    rules: { now, windowDays, period: studyPeriod(config.analysis), plausible },
    callers: [],
    wants: shares.wants,
    until: performance.now() + config.grpc.analysis_timeout_seconds * 1000,
    signal: new AbortController().signal,
  });
  const outcomes = readings.flatMap(({ files }) => files.map(({ outcome }) => outcome));
  return new Set(
    outcomes.flatMap((outcome) =>
      outcome.kind === 'read' && outcome.key !== null ? [digestOf('key', outcome.key)] : [],
    ),
  );
}

function withForeignAsOwn<Share extends { foreignKeys: readonly Buffer[] }>(share: Share) {
  return { ...share, keys: share.foreignKeys, foreignKeys: [] };
}
