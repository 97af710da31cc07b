import { mkdirSync, rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { podIdOfRoot } from '../../src/pod/pod-id.js';
import { revokeShares } from '../../src/pod/sharing/share.js';
import { type Contributor, createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { TestControl } from '../support/test-control.js';
import { withTestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let anna: Contributor;
let ben: Contributor;

beforeEach(async () => {
  analyser = await createInitialisedPod(server);
  [anna, ben] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60])),
    createContributor(server, analyser, weekly([110, 70, 50])),
  ]);
});
afterEach(() => Promise.all([analyser.close(), anna.close(), ben.close()]));

test('an analysis removes runs older than output.keep_days, and the chart of who took their readings back', async () => {
  await withTestRuns(server, analyser, { output: { keep_days: 7 } }, async (runs) => {
    const { charts_dir, results_dir } = runs.config.output;
    await runs.ask(anna);
    await runs.ask(ben);
    expect(await readdir(charts_dir)).toHaveLength(2);
    const old = JSON.stringify({ run_id: '20200101T000000Z' });
    await writeFile(join(results_dir, 'run-20200101T000000Z.json'), old);
    await revokeShares(anna.client, anna.pod, {
      urls: anna.urls,
      recipientWebId: analyser.pod.webId,
    });
    await runs.ask(ben);
    const podId = podIdOfRoot(ben.pod.root);
    expect(await readdir(charts_dir)).toEqual([`${podId}.png`]);
    const stored = (await readdir(results_dir)).filter((name) => name.startsWith('run-'));
    expect(stored).not.toContain('run-20200101T000000Z.json');
    expect(stored).toHaveLength(3);
    const report = await runs.ask(ben);
    expect(report.status).toBe('COMPLETED');
  });
});

test('the chart of who took their readings back goes even if the analysis breaks off just then', async () => {
  await withTestRuns(server, analyser, {}, async (runs) => {
    const { charts_dir, state_dir } = runs.config.output;
    await runs.ask(anna);
    await runs.ask(ben);
    await revokeShares(anna.client, anna.pod, {
      urls: anna.urls,
      recipientWebId: analyser.pod.webId,
    });
    // The memory is stored in the Pod, but no note of it can be kept here.
    const note = join(state_dir, 'memory.json');
    const control = new TestControl();
    control.onCommit = () => {
      rmSync(note);
      mkdirSync(note);
    };
    await expect(runs.ask(ben, control)).rejects.toThrow('memory.json');
    rmSync(note, { recursive: true });
    await runs.ask(ben);
    expect(await readdir(charts_dir)).toEqual([`${podIdOfRoot(ben.pod.root)}.png`]);
  });
});
