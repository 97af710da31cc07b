import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAnalyserService } from '../support/analyser-service.js';
import { runMode } from '../support/command-line.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';

/**
 * Everybody may write to an inbox, and so to its description: two values where the Community Solid
 * Server expects one make it answer 500 to every request for the inbox, until they are removed.
 */
const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const alice = await createContributor(server, analyser, weekly([120, 80, 60]));
const bob = await createContributor(server, analyser, weekly([130, 85, 70]));
const service = await startAnalyserService(server, analyser);

async function change(what: 'INSERT' | 'DELETE', { pod }: InitialisedPod): Promise<void> {
  const inbox = pod.documents.sharedKeys;
  const unit = '<urn:npm:solid:community-server:http:unit>';
  // Without any login.
  const answer = await fetch(`${inbox}.meta`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/sparql-update' },
    body: `${what} DATA { <${inbox}> ${unit} "a", "b" . }`,
  });
  expect(answer.status).toBeLessThan(300);
}

async function latestRun(): Promise<{ warnings: string[] }> {
  const text = await readFile(join(service.folder, 'results', 'latest.json'), 'utf8');
  const run: { warnings: string[] } = JSON.parse(text);
  return run;
}

test('[3.1] one anonymous change of the description of the inbox changes nothing for those who shared before', async () => {
  const full = { status: 'ANALYSE_STATUS_COMPLETED', published: true, pod_count: 2 };
  expect(await service.client.analyse(alice.pod.webId)).toMatchObject(full);
  await change('INSERT', analyser);
  expect((await fetch(analyser.pod.documents.sharedKeys)).status).toBe(500);

  expect(await service.client.analyse(alice.pod.webId)).toMatchObject(full);
  expect(await service.client.status()).toMatchObject({ ready: true });
  const { warnings } = await latestRun();
  expect(warnings.filter((one) => one.includes('.meta'))).toHaveLength(1);

  await using restarted = await startAnalyserService(server, analyser);
  expect(await restarted.client.analyse(bob.pod.webId)).toMatchObject(full);

  const cwd = await newFolder();
  await writeConfigFile(cwd, analyser);
  const check = await runMode(['check'], { cwd });
  expect(check.out).toContain(`${analyser.pod.documents.sharedKeys} answered HTTP 500`);
  expect(check.out).toContain('.meta');
  await change('DELETE', analyser);
}, 180_000);
