import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { writeTurtle } from '../../src/pod/formats/vocabulary.js';
import { putDocument } from '../../src/solid/documents.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, startTestRuns } from '../support/test-runs.js';
import { type Attacker, createAttacker } from './attacker.js';

const LONGEST_MS = 300_000;
type Flood = [string, (attacker: Attacker, mallory: InitialisedPod) => string];

const MB = 1024 * 1024;
const DATA = 'https://solidcommunity.au/predicates/data#';
const sealed = () => randomBytes(256).toString('base64');

export const floods: Flood[] = [
  [
    'ten thousand entries that do not open',
    () =>
      Array.from(
        { length: 10_000 },
        (_, index) =>
          `<x:${index}> <${DATA}path> "${sealed()}" ; <${DATA}sharedKey> "${sealed()}" .`,
      ).join('\n'),
  ],
  ['one entry of 50 MB', () => `<x:1> <${DATA}path> "${'A'.repeat(50 * MB)}" .`],
  ['60 MB of brackets', () => '('.repeat(60 * MB)],
  ['60 MB of nested blank nodes', () => '[<p> '.repeat(12 * MB)],
  ['400,000 blank nodes', () => '[] <p> [] .\n'.repeat(400_000)],
  [
    'a prefix for every line',
    () => Array.from({ length: 500_000 }, (_, i) => `@prefix p${i}: <x:>.`).join('\n'),
  ],
  ['50 MB of quotation marks', () => '"'.repeat(50 * MB)],
];

/** Entries that cost a request each. */
export const missingFiles = (count: number): Flood => [
  `${count} entries about files that are not there`,
  (attacker, mallory) =>
    writeTurtle(
      attacker.statementsOf(
        Array.from({ length: count }, (_, index) => ({
          url: `${mallory.pod.documents.app}data/blood_pressure/${index}.json.enc.ttl`,
        })),
      ),
    ),
];

/** Nobody's figures change, and the time it takes is bounded. */
export async function testFloods(chosen: readonly Flood[]): Promise<void> {
  const server = sharedSolidServer();
  const analyser = await createInitialisedPod(server);
  const alice = await createContributor(server, analyser, weekly([120, 80, 60], [130, 84, 66]));
  const mallory = await createInitialisedPod(server);
  const attacker = await createAttacker(mallory, analyser);
  // With a memory: who makes the inbox unreadable could empty it as well.
  const runs = await startTestRuns(server, analyser, noCharts);
  const { document: before } = await runs.run({ caller: alice.pod.webId });
  const inbox = (await mallory.client.request(analyser.pod.documents.sharedKeys)).body;
  afterEach(() => putDocument(mallory.client, analyser.pod.documents.sharedKeys, inbox));

  test.each(chosen)(
    '%s',
    async (_, flood) => {
      await attacker.rewriteInbox('', flood(attacker, mallory));
      const started = performance.now();
      const { document } = await runs.run({ caller: alice.pod.webId });
      expect(performance.now() - started).toBeLessThan(LONGEST_MS);
      expect(document.pods).toEqual(before.pods);
      expect(document.cohort).toEqual(before.cohort);
      expect(document.warnings.length).toBeLessThan(150);
    },
    2 * LONGEST_MS,
  );
}
