import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { putDocument } from '../../src/solid/documents.js';
import { allowReading, createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { serveUntilEnd } from '../support/listen.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, startTestRuns } from '../support/test-runs.js';
import { createAttacker } from './attacker.js';

/**
 * Whoever adds to the Analyser's inbox, with a Pod of their own, changes nothing of what is said about other Pods:
 * what takes a real server, beside the histories of strangers/.
 */
const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const [alice, mallory] = await Promise.all([
  createContributor(server, analyser, weekly([120, 80, 60], [130, 84, 66])),
  createInitialisedPod(server),
  createContributor(server, analyser, weekly([110, 70, null])),
]);
const attacker = await createAttacker(mallory, analyser);
let trapped = 0;
/** Where no request may ever arrive. */
const trap = createServer((_, answer) => {
  trapped += 1;
  answer.writeHead(302, { location: alice.urls[0] ?? '' }).end();
});
const { port: trapPort } = new URL(await serveUntilEnd(trap));
const runs = await startTestRuns(server, analyser, figuresOnly);
const before = await run();
const inbox = (await mallory.client.request(analyser.pod.documents.sharedKeys)).body;

afterEach(() => putDocument(mallory.client, analyser.pod.documents.sharedKeys, inbox));

async function run(): Promise<ResultsDocument> {
  return (await runs.run({ caller: alice.pod.webId })).document;
}

const dataOf = (owner: InitialisedPod) => `${owner.pod.documents.app}data/blood_pressure/`;

/** Nobody's entry differs and no Pod comes or goes; what the cohort is made of stays too. */
function expectUnchanged(after: ResultsDocument): void {
  expect(after.pods).toEqual(before.pods);
  expect(after.cohort).toEqual(before.cohort);
}

test('[T1][T3] what leads elsewhere is never asked for and changes nothing', async () => {
  const path = 'alice/app/data/blood_pressure/bp_2026-02-01T08-00-00.json.enc.ttl';
  const { port } = new URL(server.baseUrl);
  const urls = [
    `http://127.0.0.1:${trapPort}/${path}`,
    `http://localhost:${trapPort}/${path}`,
    `http://[::1]:${trapPort}/${path}`,
    `http://2130706433:${trapPort}/${path}`,
    `http://127.0.0.1:${port}/${path}`,
    `http://169.254.169.254/${path}`,
    `https://localhost:${port}/${path}`,
    `http://localhost:${port}@127.0.0.1:${trapPort}/${path}`,
    `http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:${trapPort}/${path}`,
    `file:///etc/app/data/blood_pressure/passwd.json.enc.ttl`,
    `http://localhost:${trapPort}\\@localhost:${port}/${path}`,
    `${server.baseUrl}${path}?to=http://127.0.0.1:${trapPort}`,
    ` http://127.0.0.1:${trapPort}/${path}`,
    // Her own Pod, which must not pass for two.
    (alice.urls[0] ?? '').replace('http://localhost', 'http://LOCALHOST'),
  ];
  await attacker.plant(urls.map((url) => ({ url })));
  const after = await run();
  expectUnchanged(after);
  expect(trapped).toBe(0);
  expect(after.warnings.join('\n')).toContain('left out');
  expect(after.warnings.join('\n')).toContain('names no address of a resource');
  expect(after.warnings.join('\n')).toContain(`names the Pod ${alice.pod.root} in another form.`);
});

test('[5.13] files at which the server itself stumbles hold nobody else up', async () => {
  const urls = Array.from(
    { length: 12 },
    (_, index) => `${dataOf(mallory)}hang_${index}.json.enc.ttl`,
  );
  const context = `http://127.0.0.1:${trapPort}/context`;
  for (const [index, url] of urls.entries()) {
    const body = index % 2 === 0 ? '{{{' : JSON.stringify({ '@context': context, a: 'b' });
    await putDocument(mallory.client, url, body, { contentType: 'application/ld+json' });
    await allowReading(mallory, analyser, url);
  }
  await attacker.plant(urls.map((url) => ({ url })));
  expectUnchanged(await run());
});
