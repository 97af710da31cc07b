import { mkdirSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { revokeShares, shareResources } from '../../src/pod/sharing/share.js';
import type { HttpSolidClient } from '../../src/solid/solid-client.js';
import { type Contributor, createContributor, weekly } from '../support/contributor.js';
import { startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { openClient } from '../support/open-client.js';
import { TestControl } from '../support/test-control.js';
import { type Sections, startTestRuns, type TestRuns } from '../support/test-runs.js';

/** What an owner takes back leaves no chart and no figures, at once; what fails for a while keeps both. */
const server = await startProxiedServer();
let analyser: InitialisedPod;
let bob: Contributor;
let carol: Contributor;
let client: HttpSolidClient;
let runs: TestRuns;

beforeEach(async () => {
  analyser = await createInitialisedPod(server);
  [bob, carol] = await Promise.all([
    createContributor(server, analyser, weekly([110, 70, 50])),
    createContributor(server, analyser, weekly([150, 90, 60], [160, 92, 62])),
  ]);
  // It gives up soon, and waits for nothing.
  client = openClient({
    serverUrl: server.baseUrl,
    credentials: analyser.account,
    policy: { tries: 1, firstPauseMs: 1, mostRefusals: 1 },
  });
});
afterEach(() => server.proxy.heal());

/** With a picture of everybody; later ones have the same var/. */
async function start(): Promise<void> {
  runs = await startTestRuns(server, analyser, {}, { client });
  for (const one of [bob, carol]) await runs.ask(one);
  expect(await drawn()).toEqual(idsOf(bob, carol));
}

async function restart(sections: Sections): Promise<void> {
  const { output } = runs.config;
  runs = await startTestRuns(server, analyser, { ...sections, output }, { client });
}

const idsOf = (...people: InitialisedPod[]) =>
  people.map(({ pod }) => podIdOfRoot(pod.root)).sort();
const drawn = async () => {
  const files = await readdir(runs.config.output.charts_dir);
  return files.map((name) => name.replace(/\.png$/, '')).sort();
};
const cohort = async () => (await runs.run({ caller: bob.pod.webId })).document.cohort;
const revoke = (urls: string[] = carol.urls) =>
  revokeShares(carol.client, carol.pod, { urls, recipientWebId: analyser.pod.webId });
const refuse = (status: number, isRefused: (url: string) => boolean, method = 'GET') =>
  server.proxy.inject({
    when: (request) => request.method === method && isRefused(request.url),
    fault: { kind: 'answer', status },
  });

test('[5.11] the chart of who took everything back goes, even if the analysis breaks off just then', async () => {
  await start();
  await revoke();
  // The memory is stored in the Pod, but no note of it can be kept here.
  const note = join(runs.config.output.state_dir, 'memory.json');
  const control = new TestControl();
  control.onCommit = () => {
    rmSync(note);
    mkdirSync(note);
  };
  await expect(runs.ask(bob, control)).rejects.toThrow('memory.json');
  rmSync(note, { recursive: true });
  await runs.ask(bob);
  expect(await drawn()).toEqual(idsOf(bob));
});

test('[5.2] where its Pod is left out, what was taken back leaves neither chart nor figures behind', async () => {
  await start();
  const [first = ''] = carol.urls;
  await revoke();
  await restart({ data: { excluded_pods: [carol.pod.root] } });
  await runs.ask(bob);
  expect(await drawn()).toEqual(idsOf(bob));
  await shareResources(carol.client, carol.pod, {
    urls: [first],
    recipientWebId: analyser.pod.webId,
  });
  refuse(500, (url) => url === first);
  await restart({});
  expect(await cohort()).toMatchObject({ included_pod_count: 1, observation_count: 1 });
});

test('[5.11] while the memory cannot be stored, the chart of who took everything back goes, and no other', async () => {
  await start();
  await revoke();
  refuse(403, (url) => url.endsWith('/analyser/memory.txt'), 'PUT');
  await runs.ask(bob);
  expect(await drawn()).toEqual(idsOf(bob));
  server.proxy.heal();
});
