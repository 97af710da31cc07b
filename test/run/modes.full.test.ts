import { mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acquireLock } from '../../src/store/folder-lock.js';
import { readStateMarker } from '../../src/store/state.js';
import { startCommand, waitForEnd } from '../support/child-process.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { checkResults, collectCohort, collectOwn } from '../support/published.js';
import { findChanges, snapshotPods, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';

/** The modes `check` and `run-once`, each in a process of its own as a user starts them. */
const server = sharedSolidServer();
const folder = await realpath(await newFolder());
const analyser = await createInitialisedPod(server);
const [anna, ben] = await Promise.all([
  createContributor(
    server,
    analyser,
    weekly(...Array.from({ length: 21 }, (): [number, number, number] => [120, 80, 60])),
  ),
  createContributor(server, analyser, weekly([110, 70, 50])),
]);
const all = [analyser, anna, ben];
await writeConfigFile(folder, analyser);

const start = (mode: string, env: Record<string, string> = {}) =>
  startCommand(mode.split(' '), { cwd: folder, env });

async function run(mode: string, env: Record<string, string> = {}) {
  const { code, out, err } = await waitForEnd(start(mode, env));
  return { code, lines: out.trimEnd().split('\n'), err };
}

test('check prints what it finds, line by line, and changes nothing anywhere', async () => {
  const look = async () => [await snapshotPods(all), await takeSnapshot(folder)];
  const before = await look();
  const { code, lines, err } = await run('check');
  expect([code, err]).toEqual([0, '']);
  expect(await look()).toEqual(before);
  const shared = [...anna.urls, ...ben.urls].map((url) => `  file    read  ${url}`);
  expect(lines[0]).toBe('Shared resources      22');
  expect(lines.slice(1, 23).sort()).toEqual(shared.sort());
  expect(lines.slice(23)).toEqual([
    'Contributing Pods     2',
    ...[`  ${anna.pod.webId}  21 files`, `  ${ben.pod.webId}  1 file`].sort(),
    `Configuration         ${join(folder, 'config.yaml')}`,
    `Analyser WebID        ${analyser.pod.webId}`,
    `Server                ${server.baseUrl}`,
    'Proxies               none',
    'Application folder    app',
    'Login                 ok',
    'Unlock                ok (key derivation version 2)',
    'gRPC address          0.0.0.0:50051 (plaintext, no token)',
    'Charts                available',
    'Cohort averages       exact, also of two Pods: each can then work out the average of the other (sharing.minimum_cohort_pods)',
    `Results directory     ${join(folder, 'var/results')}`,
    'Findings              1',
    '  Warning: Other machines reach 0.0.0.0:50051, and there is no grpc.token (APP_ANALYSER_GRPC_TOKEN) and no grpc.tls_cert_file: set it, or keep the port to a closed network or a proxy with TLS.',
    'Ready, 2 Pods, 22 files, 1 finding',
  ]);
});

test('forget forgets what was kept of one Pod, or of all', async () => {
  const forget = async (...args: string[]) => {
    const { code, out } = await waitForEnd(startCommand(['forget', ...args], { cwd: folder }));
    return [code, ...out.trim().split('\n')];
  };
  await run('run-once');
  const charts = join(folder, 'var/charts');
  const podId = `${new URL(ben.pod.webId).host}-${ben.pod.root.split('/').at(-2)}`;
  expect(await readdir(charts)).toContain(`${podId}.png`);
  expect(await forget(ben.pod.webId)).toEqual([
    0,
    'shares forgotten  1',
    `chart removed     ${podId}`,
  ]);
  expect(await readdir(charts)).not.toContain(`${podId}.png`);
  expect(await forget(ben.pod.webId)).toEqual([1, '']);
  expect((await forget(server.baseUrl)).slice(0, 2)).toEqual([0, 'shares forgotten  21']);
  expect(await forget('--all', '--yes')).toEqual([0, '']);
  // Nobody is there to be asked.
  expect(await forget('--all')).toEqual([2, '']);
  for (const wrong of [[], [ben.pod.webId, '--all'], ['nobody']]) {
    expect((await forget(...wrong))[0]).toBe(2);
  }
});

describe('run-once', () => {
  test('ends with 1 when a reader did not receive what was meant for them, and the run says why', async () => {
    const own = await createInitialisedPod(server);
    const keyless = await createContributor(server, own, weekly([120, 80, 60]));
    await keyless.client.request(keyless.pod.documents.publicKey, { method: 'DELETE' });
    const cwd = join(folder, 'keyless');
    await mkdir(cwd);
    await writeConfigFile(cwd, own);
    const { code, out, err } = await waitForEnd(startCommand(['run-once'], { cwd, env: {} }));
    expect(code).toBe(1);
    expect(out).toMatch(/results shared +0\nresults failed +2\n/);
    expect(err).toContain('2 results did not reach their readers: the results document says why');
  });

  const labels = [
    'run id',
    'pod count',
    'included pod count',
    'readings',
    'results shared',
    'results failed',
    'warnings',
    'results document',
  ];

  test('serves every contributor, prints what came of it, and can be run again', async () => {
    const first = await run('run-once');
    expect([first.code, first.lines.map((line) => line.slice(0, 18).trimEnd())]).toEqual([
      0,
      labels,
    ]);
    const values = first.lines.map((line) => line.slice(20));
    const [runId = '', path = ''] = [values[0], values.at(-1)];
    expect(runId).toMatch(/^\d{8}T\d{6}Z$/);
    expect(path).toBe(join(folder, 'var/results', `run-${runId}.json`));
    expect(values.slice(1, -1)).toEqual(['2', '2', '22', '4', '0', '0']);
    expect(first.err.split('\n')).toContain('Results published: 2 of 2');
    const document = checkResults(JSON.parse(await readFile(path, 'utf8')));
    expect(document.requested_by).toBeNull();
    expect(Object.keys(document.charts.pods)).toHaveLength(2);
    for (const reader of [anna, ben]) {
      const own = await collectOwn(analyser, reader);
      expect(own.chart?.format).toBe('png');
      const cohort = await collectCohort(analyser, reader);
      expect(cohort.cohort.average_of_averages.systolic).toBe(115);
      expect([own.generated_at, cohort.generated_at]).toEqual([
        document.generated_at,
        document.generated_at,
      ]);
    }

    const again = await run('run-once --json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.lines.join('\n'))).toMatchObject({
      run_id: expect.not.stringContaining(runId),
      pod_count: 2,
      included_pod_count: 2,
      readings: 22,
      results_shared: 4,
      results_failed: 0,
      warnings: 0,
    });
  });

  test('waits while another process runs an analysis; a signal ends the wait and leaves no trace', async () => {
    for (const isStopped of [true, false]) {
      const lock = await acquireLock(join(folder, 'var/state'), 'analysis');
      const before = await takeSnapshot(join(folder, 'var/results'));
      const child = start('run-once');
      child.stderr.on('data', (text: Buffer) => {
        if (!text.includes('Another process runs an analysis')) return;
        if (isStopped) child.kill('SIGTERM');
        else void lock.unlock();
      });
      const { code, err } = await waitForEnd(child);
      await lock.unlock();
      const after = await takeSnapshot(join(folder, 'var/results'));
      expect(findChanges(before, after).length === 0).toBe(isStopped);
      expect(code).toBe(isStopped ? 1 : 0);
      expect(err.trimEnd().split('\n').at(-1)?.includes('cancelled')).toBe(isStopped);
    }
  });

  test('[1.1] with a wrong security key ends with 3, leaves the results alone and its mark', async () => {
    const before = await takeSnapshot(join(folder, 'var/results'));
    const { code, lines, err } = await run('run-once', { APP_ANALYSER_SECURITY_KEY: 'wrong' });
    expect([code, lines]).toEqual([3, ['']]);
    expect(err).toContain('The configured security key does not match');
    expect(await takeSnapshot(join(folder, 'var/results'))).toEqual(before);
    expect(await readStateMarker(join(folder, 'var/state'))).toMatchObject({
      running: null,
      last_run: { status: 'FAILED', run_id: null, message: expect.stringContaining('unlocked') },
    });
  });
});
