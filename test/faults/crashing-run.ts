import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { openResultsStore } from '../../src/store/results-store.js';
import { readStateMarker } from '../../src/store/state-marker.js';
import type { InitialisedPod } from '../support/initialised-pod.js';
import { collectOwn } from '../support/published.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * A run that is killed at its nth write, and the next one in the same var/: nothing half
 * written is ever taken for whole, and the next run needs no help. Answers whether the run got
 * that far; one with fewer writes simply succeeds.
 */
export async function crashAndRecover(
  server: { baseUrl: string },
  analyser: InitialisedPod,
  reader: InitialisedPod,
  write: number,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-crash-'));
  try {
    await writeFile(join(folder, 'config.yaml'), configOf(server, analyser), { mode: 0o600 });
    const crash = await runOnce(folder, analyser, write);
    if (crash.signal === null) {
      expect(crash.code, crash.output).toBe(0);
      return false;
    }
    expect(crash.signal).toBe('SIGKILL');
    await expectWholeFiles(folder);
    const left = await readStateMarker(join(folder, 'var/state'));

    const next = await runOnce(folder, analyser, null);
    expect(next.code, next.output).toBe(0);
    await expectWholeFiles(folder);
    const marker = await readStateMarker(join(folder, 'var/state'));
    expect(marker).toMatchObject({ running: null, last_run: { status: 'COMPLETED' } });
    // A marker that the killed run left behind is of an earlier start.
    if (left?.running)
      expect(left.running.started_at < (marker?.last_run?.started_at ?? '')).toBe(true);
    const files = await readdir(join(folder, 'var'), { recursive: true });
    expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(files.filter((name) => name.endsWith('.lock'))).toHaveLength(1);

    const latest = await openResultsStore(join(folder, 'var/results')).readLatest();
    const { generated_at } = await collectOwn(analyser, reader);
    expect(latest).toMatchObject({ state: 'found', document: { generated_at } });
    return true;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function configOf(server: { baseUrl: string }, { pod }: InitialisedPod): string {
  return (
    `analyser:\n  web_id: ${pod.webId}\n  server_url: ${server.baseUrl}\n  app_dir_name: ${pod.appDir}\n` +
    'output:\n  render_charts: false\n'
  );
}

async function runOnce(
  cwd: string,
  { account, securityKey }: InitialisedPod,
  dieAtWrite: number | null,
): Promise<{ code: number | null; signal: string | null; output: string }> {
  const loader = import.meta.resolve('tsx');
  const args = ['--import', loader, '--import', here('die-at-write.mjs')];
  const child = spawn(process.execPath, [...args, here('../../src/cli/main.ts'), 'run-once'], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      APP_ANALYSER_SECURITY_KEY: securityKey,
      APP_ANALYSER_CLIENT_ID: account.clientId,
      APP_ANALYSER_CLIENT_SECRET: account.clientSecret,
      ...(dieAtWrite !== null && { DIE_AT_WRITE: String(dieAtWrite) }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: child.exitCode, signal: child.signalCode, output: `${out}\n${err}` };
}

async function expectWholeFiles(folder: string): Promise<void> {
  const store = openResultsStore(join(folder, 'var/results'));
  expect(['found', 'absent']).toContain((await store.readLatest()).state);
  for (const run of await store.listRuns()) expect((await store.readRun(run)).state).toBe('found');
  expect(await readStateMarker(join(folder, 'var/state'))).not.toBeNull();
}
