import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFolder, removeFile, writeFileAtomically } from './atomic-file.js';
import { BEAT_MS, isRecent, keepTouching } from './keep-touching.js';
import { withFile } from './stored-file.js';

/**
 * Each service that waits for calls has a file of its own in the state folder, by which readers of
 * the disk know whether it lives. Nothing here fails for a disk that is full or gone.
 */
export interface Heartbeat {
  state: 'alive' | 'silent' | 'stopped';
  /** When it was last heard of, or stopped. */
  at: Date;
}

/** Of one length: the second is written over the first, which needs no free space. */
const running = 'running\n';
const stopped = 'stopped\n';

export async function startHeartbeat(
  stateDir: string,
  everyMs = BEAT_MS,
): Promise<{ stop(): Promise<void> }> {
  const path = join(stateDir, `heartbeat-${randomBytes(8).toString('hex')}`);
  const make = () => writeFileAtomically(path, running);
  await make().catch(() => undefined);
  await tidy(stateDir).catch(() => undefined);
  const touching = keepTouching(path, everyMs, make);
  return {
    async stop() {
      await touching.stop();
      await writeFile(path, stopped, { flag: 'r+' }).catch(() => undefined);
    },
  };
}

/** Where several services share the folder, one that lives counts, else the newest; null for none. */
export async function readHeartbeat(stateDir: string): Promise<Heartbeat | null> {
  const found = await readAll(stateDir);
  const alive = found.filter(({ state }) => state === 'alive');
  const [newest] = (alive.length > 0 ? alive : found).sort((a, b) => Number(b.at) - Number(a.at));
  return newest ?? null;
}

/** Removes those of services that are gone. One that only slept makes its own again. */
async function tidy(stateDir: string): Promise<void> {
  for (const { path, state } of await readAll(stateDir)) {
    if (state !== 'alive') await removeFile(path);
  }
}

async function readAll(stateDir: string): Promise<(Heartbeat & { path: string })[]> {
  const names = await listFolder(stateDir);
  const paths = names
    .filter((name) => /^heartbeat-[0-9a-f]{16}$/.test(name))
    .map((name) => join(stateDir, name));
  const found = await Promise.all(
    paths.map((path) =>
      withFile(path, async (file) => {
        const { modified } = file;
        const isStopped = (await file.read()).toString() === stopped;
        const state: Heartbeat['state'] = isStopped
          ? 'stopped'
          : isRecent(modified)
            ? 'alive'
            : 'silent';
        return { path, state, at: modified };
      }),
    ),
  );
  return found.filter((heartbeat) => heartbeat !== null);
}
