import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { findFreePort } from '../src/embedded-server/embedded-server.js';
import { type ChildResult, startCommand, waitForEnd } from './support/child-process.js';
import { writeConfigFile } from './support/config-file.js';
import { createContributor, weekly } from './support/contributor.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { takeSnapshot } from './support/snapshot.js';
import { sharedSolidServer } from './support/solid-server.js';
import { newFolder } from './support/temp-folder.js';

/** That of the service, that of the HTTP API in its group, and one that has nothing to do with it. */
const accounts = {
  service: { uid: 20_001, gid: 20_000 },
  api: { uid: 20_002, gid: 20_000 },
  stranger: { uid: 20_003, gid: 20_003 },
};
const OTHERS = 0o007;
const GROUP_WRITES = 0o020;

const folder = await newFolder();

describe.skipIf(!canBeOthers())('other accounts of the machine', () => {
  let port: number;
  const varFolder = join(folder, 'var');

  beforeAll(async () => {
    const server = sharedSolidServer();
    const analyser = await createInitialisedPod(server);
    await createContributor(server, analyser, weekly([120, 80, 60]));
    port = await findFreePort();
    await writeConfigFile(folder, analyser, { api: { port } });
    await mkdir(varFolder);
    const { uid, gid } = accounts.service;
    for (const path of [folder, varFolder, join(folder, 'config.yaml')]) {
      await chown(path, uid, gid);
    }
    await chmod(folder, 0o755);
    await chmod(varFolder, 0o750);
    // As docs/operators.md has it.
    await chmod(join(folder, 'config.yaml'), 0o640);
  });

  const run = (account: keyof typeof accounts, ...words: string[]): Promise<ChildResult> =>
    waitForEnd(startCommand(words, { cwd: folder, ...accounts[account] }));

  test('what an analysis leaves is for its account and the group that reads, under the laxest umask', async () => {
    const before = process.umask(0);
    const done = run('service', 'run-once');
    process.umask(before);
    expect(await done).toMatchObject({ code: 0 });
    const files = await readdir(varFolder, { recursive: true });
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const { mode, uid } = await stat(join(varFolder, file));
      expect([file, uid, mode & (OTHERS | GROUP_WRITES)]).toEqual([file, accounts.service.uid, 0]);
    }
  });

  test('the API runs under an account that may only read', async () => {
    const before = await takeSnapshot(varFolder);
    const child = startCommand(['serve'], { cwd: folder, ...accounts.api });
    const ended = waitForEnd(child);
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    await expect.poll(() => ask('/health').catch(() => 0)).toBe(200);
    expect(await Promise.all(['/api/cohort', '/api/pods', '/history'].map(ask))).toEqual([
      200, 200, 200,
    ]);
    child.kill('SIGTERM');
    await ended;
    expect(await takeSnapshot(varFolder)).toEqual(before);
  });

  test('an account that may only read is told by run-once what cannot be written, and changes nothing', async () => {
    const before = await takeSnapshot(varFolder);
    const { code, err } = await run('api', 'run-once');
    expect(code).not.toBe(0);
    expect(err).toContain(varFolder);
    expect(err).not.toMatch(/\n {4}at /);
    expect(await takeSnapshot(varFolder)).toEqual(before);
  });

  test.each(['run-once', 'check', 'status', 'serve', 'show-config'])(
    'an account that may not read config.yaml is told so by %s',
    async (mode) => {
      const { code, err } = await run('stranger', mode);
      expect([code, err]).toEqual([2, expect.stringContaining(join(folder, 'config.yaml'))]);
    },
  );
});

/** Only root may be somebody else, and they have to reach the program. */
function canBeOthers(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('test', ['-r', inject('compiledMain')], accounts.stranger);
    return true;
  } catch {
    console.log('Other accounts cannot read the sources here; what concerns them is left out.');
    return false;
  }
}
