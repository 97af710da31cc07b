import { AnalyserError } from '../../base/errors.js';
import { serversOf } from '../../config/allowed-origins.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config } from '../../config/schema.js';
import { canonicalRoot, canonicalScope } from '../../pod/addresses.js';
import { podIds } from '../../pod/owner.js';
import { type Connection, connect } from '../../run/connection.js';
import { type Erasure, erasePod } from '../../run/remember/erase-pod.js';
import { memoryAccess } from '../../run/remember/memory-access.js';
import { moveClaims } from '../../run/table/claims.js';
import { forget } from '../../run/table/forget.js';
import { openChartStore } from '../../store/chart-store.js';
import { openResultsStore } from '../../store/results-store.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { isConfirmed } from '../prompt.js';
import { withLock } from './with-lock.js';

interface ForgetFlags {
  all?: boolean;
  erase?: boolean;
  keysTo?: string;
  yes?: boolean;
}

interface Order {
  /** The root or address below which Pods are forgotten; null for all Pods. */
  below: string | null;
  isErasing: boolean;
  /** The root of the Pod that gets the keys; null without --keys-to. */
  newRoot: string | null;
}

/** The next analysis treats everything that is still shared as new. */
export async function forgetScope(
  context: ModeContext,
  scope: string | undefined,
  flags: ForgetFlags,
): Promise<number> {
  const { print, printError } = context;
  const order = readOrder(scope, flags);
  const { below, isErasing } = order;
  const { config, secrets, warnings } = await loadConfig(context);
  for (const warning of warnings) printError(`Warning: ${warning}`, 'careful');
  const question = `Forget ${scope ?? 'all Pods'}${isErasing ? ' and erase every trace' : ''} for good?`;
  const isAsked = isErasing || below === null;
  if (isAsked && !(await isConfirmed(question, { yes: flags.yes, what: 'what is forgotten' }))) {
    printError('Nothing was forgotten.');
    return exitCodes.failed;
  }
  const { removed, left } = await withLock(config, printError, async () => {
    const connection = await connect(config, secrets);
    try {
      return await carryOut(order, config, connection);
    } finally {
      await connection.close();
    }
  });
  for (const line of linesOf({ removed, left })) print(line);
  if (removed.length > 0) {
    if (isErasing) print(`Nothing in that Pod was touched. ${whatComes(below, config)}`);
    return exitCodes.ok;
  }
  printError(
    below === null
      ? 'Nothing was remembered.'
      : `Nothing was known of ${scope}: its WebID stands in the run documents as the app spells it.`,
  );
  return below === null ? exitCodes.ok : exitCodes.failed;
}

export function linesOf({ removed, left }: Erasure): string[] {
  return [...removed, ...left.map((line) => `not erased from   ${line}`)];
}

function whatComes(below: string | null, { data }: Config): string {
  return data.excluded_pods.some((scope) => below?.startsWith(scope) === true)
    ? 'data.excluded_pods leaves it out.'
    : 'It counts again with the next analysis while the Analyser may still read what was shared: set data.excluded_pods, and forget again, if that must not happen.';
}

export async function carryOut(
  { below, isErasing, newRoot }: Order,
  config: Config,
  connection: Connection,
): Promise<Erasure> {
  const removed: string[] = [];
  const results = openResultsStore(config.output.results_dir);
  const charts = openChartStore(config.output);
  const podIdOf = podIds(connection.pod.root, serversOf(config));
  await memoryAccess(connection, config, results.history).change(async (found) => {
    const forgotten = forget(found.memory, below);
    let left = forgotten.memory;
    if (forgotten.shares > 0) removed.push(`shares forgotten  ${forgotten.shares}`);
    if (newRoot !== null && below !== null) {
      const { keyedDigest } = found;
      const [from, to] = [keyedDigest('root', below), keyedDigest('root', newRoot)];
      const { claims, moved } = moveClaims(left.claims, from, to);
      left = { ...left, claims };
      const words = `what they open counts in ${newRoot}, and nowhere else`;
      if (moved > 0) removed.push(`keys moved        ${moved}: ${words}`);
    }
    // Charts are removed before the memory forgets these Pods: after a crash in between, the same command still
    // finds the rest.
    const roots = isErasing && below !== null ? [...forgotten.roots, below] : forgotten.roots;
    for (const podId of new Set(roots.map(podIdOf))) {
      if (await charts.remove(podId)) removed.push(`chart removed     ${podId}`);
    }
    return left;
  });
  if (!isErasing || below === null) return { removed, left: [] };
  const pod = { root: below, podId: podIdOf(below) };
  const erased = await erasePod({ connection, config, results, ...pod });
  return { removed: [...removed, ...erased.removed], left: erased.left };
}

function readOrder(
  scope: string | undefined,
  { all = false, erase: isErasing = false, keysTo }: ForgetFlags,
): Order {
  const below = scopeOf(scope, all);
  const isPerson = scope?.endsWith('#me') === true;
  if (isErasing && !isPerson) {
    throw new AnalyserError('configuration', '--erase needs the WebID of one person.');
  }
  const newRoot = keysTo === undefined ? null : canonicalRoot(keysTo);
  if (keysTo !== undefined && (newRoot === null || !isPerson)) {
    throw new AnalyserError(
      'configuration',
      'Give both WebIDs: forget <old WebID> --keys-to <new WebID>.',
    );
  }
  return { below, isErasing, newRoot };
}

function scopeOf(scope: string | undefined, all: boolean): string | null {
  if (all && scope === undefined) return null;
  if (all || scope === undefined) {
    throw new AnalyserError(
      'configuration',
      'Give either one WebID, an address that ends in a slash, or --all.',
    );
  }
  const below = canonicalScope(scope);
  if (below !== null) return below;
  throw new AnalyserError(
    'configuration',
    `"${scope.slice(0, 200)}" is neither a WebID, a URL that ends in /profile/card#me, nor an address that ends in a slash.`,
  );
}
