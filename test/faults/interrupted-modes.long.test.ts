import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runMode } from '../support/command-line.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { memoryOf } from '../support/memory-of.js';
import { ownResultAddress } from '../support/published.js';
import { sharedSolidServer, uniquePodName } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';
import { startTestRuns } from '../support/test-runs.js';
import { runDying } from './crashing-run.js';

const server = sharedSolidServer();
const folder = await newFolder();

interface Mode {
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** Whether it was killed, at its nth write; it simply succeeds when it has fewer. */
async function isKilled({ args, cwd, env }: Mode, write: number): Promise<boolean> {
  const place = { cwd, env: { ...env, DIE_AT_WRITE: String(write) } };
  const { code, signal, err } = await runDying(args, place);
  if (signal === 'SIGKILL') return true;
  expect(code, err).toBe(0);
  return false;
}

async function filesThatContain(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'config.yaml');
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(paths.map((path) => readFile(path, 'latin1')));
  return paths.filter((_path, index) => texts[index]?.includes(text));
}

test('a set-up that was killed at any write is started again in the same way', async () => {
  let killed = 0;
  for (;;) {
    const name = uniquePodName('analyser');
    const cwd = join(folder, name);
    await mkdir(cwd);
    const where = ['--server', server.baseUrl, '--email', `${name}@operators.example`];
    const mode = {
      args: ['setup', ...where, '--pod', name],
      cwd,
      env: { APP_SETUP_PASSWORD: `password of ${name}` },
    };
    const isDead = await isKilled(mode, killed + 1);
    // The configuration is written last: where it is, the set-up had ended.
    const args = existsSync(join(cwd, 'config.yaml')) ? ['check'] : mode.args;
    const { code, out, err } = await runMode(args, mode);
    expect(code, `after write ${killed + 1}: ${out}\n${err}`).toBe(0);
    expect(await readdir(cwd)).toEqual(expect.arrayContaining(['config.env', 'config.yaml']));
    if (!isDead) break;
    killed += 1;
  }
  // The account, the Pod, credentials, the configuration, five documents and their access.
  expect(killed).toBeGreaterThanOrEqual(15);
}, 600_000);

test('[8.3] forget --erase that was killed at any write is given again and leaves nothing', async () => {
  const analyser = await createInitialisedPod(server);
  const anna = await createContributor(server, analyser, weekly([120, 80, 60]));
  const ben = await createContributor(server, analyser, weekly([140, 90, 70]));
  let killed = 0;
  for (;;) {
    const runs = await startTestRuns(server, analyser);
    await runs.ask(anna);
    const own = ownResultAddress(analyser, anna);
    expect((await analyser.client.request(own)).status).toBe(200);
    await writeConfigFile(runs.folder, analyser, { output: runs.config.output });
    const mode = {
      args: ['forget', anna.pod.webId, '--erase', '--yes'],
      cwd: runs.folder,
      env: {},
    };
    const isDead = await isKilled(mode, killed + 1);
    const { code, err } = await runMode(mode.args, mode);
    // After the last write nothing is left, and nothing is known any more.
    const isDone = code === 0 || err.startsWith('Nothing was known of');
    expect(isDone, `after write ${killed + 1}: ${err}`).toBe(true);
    for (const url of [own, `${own}.acl`]) {
      expect((await analyser.client.request(url)).status, url).toBe(404);
    }
    const { memory } = await memoryOf(runs);
    expect([...memory.pods.keys()]).toEqual([ben.pod.root]);
    expect(await filesThatContain(runs.folder, anna.pod.root)).toEqual([]);
    if (!isDead) break;
    killed += 1;
  }
  // The memory with its version, the chart, the run with its summary, the document.
  expect(killed).toBeGreaterThanOrEqual(8);
}, 600_000);
