import type { Config } from '../../config/schema.js';
import { digestsOf } from '../../memory/digests.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { readInbox } from '../../pod/inbox/read-inbox.js';
import { isFor, type Outcome } from '../../pod/outcome.js';
import { analysisRules } from '../analysis-rules.js';
import type { Connection } from '../connection.js';
import { isData, misspelledIn, shareRules } from '../gather/classify-share.js';
import { gatherShares } from '../gather/gather-shares.js';
import { readShares } from '../read/read-shares.js';

interface TriedKeys {
  /** The digests of keys of other Pods that really open a file of this Pod. */
  opening: ReadonlySet<string>;
  /** How many files gave no answer, or were not asked for in time. */
  untried: number;
}

/**
 * Tries the keys of other Pods that were given for shares of this Pod. An analysis never tries them, and anybody can
 * write an entry that gives a key to a file. Here only the operator sees the answer.
 */
export async function tryForeignKeys(
  connection: Connection,
  config: Config,
  found: FoundMemory,
  root: string,
): Promise<TriedKeys> {
  const { client, pod, opener } = connection;
  const rules = shareRules(config, pod.root);
  const wanted = (url: string) => isData(url, rules);
  const inbox = await readInbox(client, pod, opener, { wanted, objectionTo: misspelledIn(rules) });
  const digestOf = digestsOf(found);
  const shares = gatherShares(inbox, found.memory, rules, digestOf);
  const ofPod = shares.pods
    .filter(({ owner }) => owner.root === root)
    .map((theirs) => ({ ...theirs, shares: theirs.shares.flatMap(withForeignAsOwn) }));
  const readings = await readShares(connection, ofPod, {
    rules: analysisRules(config, new Date()),
    callers: [],
    wants: shares.wants,
    until: performance.now() + config.grpc.analysis_timeout_seconds * 1000,
    signal: new AbortController().signal,
  });
  const outcomes = readings.flatMap(({ files }) => files.map(({ outcome }) => outcome));
  const opening = outcomes.flatMap((outcome) =>
    outcome.kind === 'read' && outcome.key !== null ? [digestOf('key', outcome.key)] : [],
  );
  const isUntried = (outcome: Outcome) => isFor(outcome, 'silence') || isFor(outcome, 'not asked');
  return { opening: new Set(opening), untried: outcomes.filter(isUntried).length };
}

function withForeignAsOwn<Share extends { foreignKeys: readonly Buffer[] }>(share: Share) {
  const { foreignKeys } = share;
  return foreignKeys.length === 0 ? [] : [{ ...share, keys: foreignKeys, foreignKeys: [] }];
}
