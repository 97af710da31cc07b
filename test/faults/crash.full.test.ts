import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runMode } from '../support/command-line.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns } from '../support/test-runs.js';
import { crashAtEachWrite, runDying } from './crashing-run.js';

const server = sharedSolidServer();

/** By the storage server, or to a lock. */
const isTaken = (write: string) => /^(PUT|PATCH|DELETE|rm) |\.lock /.test(write);
/** What leaves behind what another one does: the first steps of all files but one, a second reader, a login. */
const repeated = [
  /^(open|write) (?!\.state\.json\.tmp #1)\S+\.tmp /,
  /^open \S+\.jsonl |^rm (?!stored)|^POST /,
  /^(PUT|PATCH) \S+(localhost|shared-keys|permissions-log)\S* #[24]$/,
];
const isRepeated = (write: string) => repeated.some((pattern) => pattern.test(write));

// Side by side, each with an Analyser of its own.
describe.concurrent('after kill -9 at any write the next run is whole', {
  timeout: 900_000,
}, () => {
  test('[5.10] and sends the same release, when everybody is given a first result', async () => {
    const analyser = await createInitialisedPod(server);
    const reader = await createContributor(server, analyser, weekly([120, 80, 60]));
    await createContributor(server, analyser, weekly([140, 90, 70]));
    const scene = { server, analyser, reader, isFirst: true };
    const crashes = await crashAtEachWrite(scene, (write) => !isRepeated(write));
    // Lock, marker, mark, both records, two results, keys, access, hand-over and logs.
    expect(crashes.writes.length).toBeGreaterThanOrEqual(20);
    expect(crashes.withResult).toBeGreaterThan(3);
  });

  // What is in var/ is the same as above.
  test('when somebody has an earlier result', async () => {
    const analyser = await createInitialisedPod(server);
    const reader = await createContributor(server, analyser, weekly([120, 80, 60]));
    const crashes = await crashAtEachWrite(
      { server, analyser, reader, isFirst: false },
      (write) => isTaken(write) && !isRepeated(write),
    );
    expect(crashes.writes.length).toBeGreaterThanOrEqual(5);
    expect(crashes.writes.join()).toContain('bp-average.json.enc.ttl #1');
  });
});

test('[8.3] forget that was killed before it removed a chart is given again and removes it', async () => {
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
  const { signal, err } = await runDying(args, { cwd: runs.folder, env });
  expect(signal, err).toBe('SIGKILL');

  const { code, out } = await runMode(args, { cwd: runs.folder });
  expect(code).toBe(0);
  expect(out).toMatch(/^chart removed/m);
  expect(await charts()).toEqual([]);
});
