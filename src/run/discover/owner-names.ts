import { parseWebId, podIdOfRoot, webIdOfRoot } from '../../pod/addresses.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import { canonicalResource } from '../../pod/resource-address.js';
import type { FileTrace, PodResult } from '../read/pod-result.js';
import type { Shares } from './shared-files.js';

type Spellings = Shares['spellings'];

/** How the share that this key came with spells the address; any share of it for null. */
export function spellingOf(spellings: Spellings, url: string, key: Buffer | null): string {
  return spellingsOf(spellings, url, key)[0] ?? url;
}

function spellingsOf(spellings: Spellings, url: string, key: Buffer | null): string[] {
  const written = spellings.get(url);
  if (written === undefined) return [url];
  const bringsKey = (keys: readonly Buffer[]) =>
    key === null || keys.some((one) => one.equals(key));
  return written.filter(({ keys }) => bringsKey(keys)).map(({ address }) => address);
}

/** Gives each Pod the WebID and pod_id as its owner's app spells them, letter for letter. */
export function nameOwners(shares: Shares, results: readonly PodResult[]): PodResult[] {
  const nameOf = ownerNames(shares);
  return results.map((result) => ({ ...result, owner: nameOf(result) }));
}

/**
 * The most frequent spelling wins. Anybody can add entries with another one, so the files that a
 * key opened vote; if there are none, the unencrypted files that were read; if none of them
 * either, every file.
 */
export function ownerNames({
  pods,
  spellings,
}: Shares): (pod: Pick<PodResult, 'owner' | 'traces'>) => Owner {
  if (spellings.size === 0) return ({ owner }) => owner;
  const listedIn = new Map(
    pods.flatMap(({ files }) => files.map((file) => [file.url, file.listedIn] as const)),
  );
  const addressesOf = (trace: FileTrace): string[] => {
    const { key, folder } = trace.outcome === 'read' ? trace : { key: null, folder: null };
    const place = folder ?? (spellings.has(trace.url) ? null : listedIn.get(trace.url));
    return spellingsOf(spellings, place ?? trace.url, key);
  };
  return ({ owner, traces }) => {
    const read = traces.filter((trace) => trace.outcome === 'read');
    const opened = read.filter(({ key }) => key !== null);
    const heard = [opened, read, traces].find(({ length }) => length > 0) ?? [];
    const root = mostFrequent(
      heard.flatMap((trace) =>
        addressesOf(trace).flatMap((address) => rootIn(address, owner.root) ?? []),
      ),
    );
    if (root === null) return owner;
    return { ...owner, webId: webIdOfRoot(root), podId: podIdOfRoot(root) };
  };
}

/** The part of an address that spells the Pod's root; null when that makes no WebID. */
function rootIn(address: string, root: string): string | null {
  const depth = root.split('/').length - 1;
  const written = `${address.split('/').slice(0, depth).join('/')}/`;
  const isSame = canonicalResource(written) === root && parseWebId(webIdOfRoot(written)) !== null;
  return isSame ? written : null;
}

/** The first of several that are equally frequent. */
function mostFrequent(texts: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  let most: [string | null, number] = [null, 0];
  for (const entry of counts) if (entry[1] > most[1]) most = entry;
  return most[0];
}
