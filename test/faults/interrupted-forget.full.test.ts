import { readdir } from 'node:fs/promises';
import { expect, inject, test } from 'vitest';
import { startNode, waitForEnd } from '../support/child-process.js';
import { runMode } from '../support/command-line.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns } from '../support/test-runs.js';
import { dieAtWrite } from './crashing-run.js';

const server = sharedSolidServer();

test('forget that was killed before it removed a chart is given again and removes it', async () => {
  const analyser = await createInitialisedPod(server);
  const anna = await createContributor(server, analyser, weekly([120, 80, 60]));
  const runs = await startTestRuns(server, analyser);
  await runs.ask(anna);
  await writeConfigFile(runs.folder, analyser, { output: runs.config.output });
  const charts = () => readdir(runs.config.output.charts_dir);
  expect(await charts()).toHaveLength(1);

  const args = ['forget', anna.pod.webId];
  // The name of the chart is that of the server, its port and the Pod.
  const env = { DIE_AT_WRITE: 'rm localhost:N.png #1' };
  const child = startNode(['--import', dieAtWrite, inject('compiledMain'), ...args], {
    cwd: runs.folder,
    env,
  });
  const { signal, err } = await waitForEnd(child);
  expect(signal, err).toBe('SIGKILL');

  const { code, out } = await runMode(args, { cwd: runs.folder });
  expect(code).toBe(0);
  expect(out).toMatch(/^chart removed/m);
  expect(await charts()).toEqual([]);
});
