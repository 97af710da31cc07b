import { canonicalRoot } from '../../src/pod/addresses.js';
import { podIdOfRoot } from '../../src/pod/pod-id.js';
import type { Owner } from '../../src/pod/pod-of-resource.js';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import type { PodReading, PodToRead, ReadTask, ShareToRead } from '../../src/run/read/read-task.js';
import type { InitialisedPod } from './initialised-pod.js';

export function ownerOf({ pod }: Pick<InitialisedPod, 'pod'>): Owner {
  const root = canonicalRoot(pod.webId) ?? pod.root;
  return { root, webId: pod.webId, podId: podIdOfRoot(root), rootIs: 'certain' };
}

/** As an entry of the inbox names it, without a key. */
export function share(url: string, changes: Partial<ShareToRead> = {}): ShareToRead {
  return {
    ...{ url, keys: [], foreignKeys: [] },
    ...{ mayHaveEntry: true, isRemembered: false },
    rememberedKey: (changes.isRemembered && changes.keys?.[0]) || null,
    ...changes,
  };
}

/** The shares of a Pod, each with the key that its owner has for it. */
export async function podToRead(
  owner: InitialisedPod,
  urls: readonly string[],
  changes: Partial<ShareToRead> = {},
): Promise<PodToRead> {
  const keys = await findResourceKeys(owner.client, owner.pod, urls);
  const shares = urls.map((url) => share(url, { keys: [keys.get(url) ?? []].flat(), ...changes }));
  return { owner: ownerOf(owner), shares, waited: 0 };
}

export function readTask(changes: Partial<ReadTask> = {}): ReadTask {
  return {
    rules: {
      now: Date.UTC(2026, 10, 1),
      windowDays: null,
      period: null,
      plausible: { systolic: [40, 300], diastolic: [20, 200], heart_rate: [20, 250] },
    },
    callers: [],
    until: performance.now() + 120_000,
    wants: () => true,
    signal: new AbortController().signal,
    ...changes,
  };
}

/** What became of files and folders, by the last part of their addresses: their key, or why they do not count. */
export function outcomesOf({ files, folders }: PodReading): Record<string, unknown> {
  const all = [...files, ...folders].map(({ url, outcome }) => {
    const name = /[^/]+\/?$/.exec(url)?.[0] ?? url;
    return [name, outcome.kind === 'read' ? { key: outcome.key } : outcome.because] as const;
  });
  return Object.fromEntries(all);
}
