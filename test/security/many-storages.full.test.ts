import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { plantKey, readingText } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { serveUntilEnd } from '../support/listen.js';
import { openClient } from '../support/open-client.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, startTestRuns } from '../support/test-runs.js';

/** Another server, which holds one reading wherever it is asked, and may name the storage of it. */
const server = sharedSolidServer();
const other = createServer((request, answer) => {
  const [, name = ''] = (request.url ?? '').split('/');
  const description = `</${name}/.well-known/solid>; rel="http://www.w3.org/ns/solid/terms#storageDescription"`;
  if (!name.startsWith('silent')) answer.setHeader('link', [`<x.acl>; rel="acl"`, description]);
  answer.setHeader('wac-allow', 'user="read"').end(reading);
});
const reading = readingText({
  timestamp: '2026-02-01T08:00:00.000',
  systolic: 120,
  diastolic: 80,
  heart_rate: 60,
});
const origin = await serveUntilEnd(other);
const analyser = await createInitialisedPod(server);
const mallory = await createInitialisedPod(server);
const pods = [
  ...Array.from({ length: 5 }, (_, index) => `mallory/p${index}`),
  'mallory',
  'carol',
  'silent-dave',
  'silent-dave/p1',
];
for (const pod of pods) {
  await plantKey(mallory, analyser, `${origin}/${pod}/app/data/blood_pressure/bp_1.json.enc.ttl`);
}

const client = openClient({
  serverUrl: server.baseUrl,
  allowedOrigins: [origin],
  credentials: analyser.account,
});

async function run(entry: string | { origin: string; pod_depth: number }) {
  const settings = { ...figuresOnly, data: { allowed_origins: [entry] } };
  const runs = await startTestRuns(server, analyser, settings, { client });
  const { document } = await runs.run({ caller: null });
  const podIds = document.pods.map(({ pod_id }) => pod_id.slice(pod_id.indexOf('-') + 1));
  return { podIds, warnings: document.warnings.join('\n') };
}

test('[T34] one storage is one voice, however many folders with readings it has', async () => {
  const { podIds, warnings } = await run(origin);
  expect(podIds).toEqual(['carol', 'mallory', 'silent-dave']);
  expect(warnings).toContain(
    `${origin}/mallory/p4/app/data/blood_pressure/bp_1.json.enc.ttl: its server says that it lies in the storage ${origin}/mallory/ (file skipped)`,
  );
  expect(warnings).toContain('data.allowed_origins gives no pod_depth for it');
});

test('[T34] where a server names no storage, Pods lie as deep as the configuration says', async () => {
  const { podIds } = await run({ origin, pod_depth: 2 });
  // Two folders deep, so its id ends in a digest.
  expect(podIds).toEqual([
    'carol',
    'mallory',
    expect.stringMatching(/^silent-dave-p1-[0-9a-f]{40}$/),
  ]);
});
