import { readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';
import { createAttacker } from './attacker.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let victim: InitialisedPod;
let mallory: InitialisedPod;
let runs: TestRuns;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  victim = await createContributor(server, analyser, weekly([120, 80, 60]));
  mallory = await createInitialisedPod(server);
  runs = await startTestRuns(server, analyser, { output: { render_charts: false } });
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser, victim, mallory].map((one) => one.close()));
});

test('a thousand planted entries about the files of somebody leave little in their run documents', async () => {
  const attacker = await createAttacker(mallory, analyser);
  const folder = `${victim.pod.documents.app}data/blood_pressure/`;
  await attacker.plant(
    Array.from({ length: 1000 }, (_, day) => ({
      url: `${folder}bp_2026-${'x'.repeat(60)}${day}.json.enc.ttl`,
    })),
  );
  const { document, path } = await runs.run({ caller: victim.pod.webId });
  const stored: { warnings: string[] } = JSON.parse(await readFile(path, 'utf8'));
  expect(stored.warnings.length).toBeGreaterThan(0);
  expect(Buffer.byteLength(stored.warnings.join('\n'))).toBeLessThan(21_000);
  expect((await stat(path)).size).toBeLessThan(40_000);
  expect(document.pods.find((pod) => pod.web_id === victim.pod.webId)?.observation_count).toBe(1);
}, 300_000);
