import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { sharedSolidServer } from './solid-server.js';

/** Path within the folder, to a digest of the bytes. */
export type Snapshot = Record<string, string>;

/** Where the shared server keeps a Pod, its access rules included. */
export function folderOfPod(root: string): string {
  return join(sharedSolidServer().rootDir, decodeURIComponent(new URL(root).pathname));
}

/** Every file below the folder; nothing when there is no such folder. */
export async function takeSnapshot(folder: string): Promise<Snapshot> {
  const snapshot: Snapshot = {};
  for (const path of await listFiles(folder)) {
    snapshot[relative(folder, path)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return snapshot;
}

export async function snapshotPods(
  pods: readonly { pod: { root: string } }[],
): Promise<Record<string, Snapshot>> {
  const taken = pods.map(async ({ pod }): Promise<[string, Snapshot]> => {
    const snapshot = await takeSnapshot(folderOfPod(pod.root));
    // Every Pod has a profile: without one the server keeps its files elsewhere, and nothing is compared.
    if (Object.keys(snapshot).length === 0) throw new Error(`${pod.root} has no files`);
    return [pod.root, snapshot];
  });
  return Object.fromEntries(await Promise.all(taken));
}

/** Files that are new, gone or different. */
export function findChanges(before: Snapshot, after: Snapshot): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
