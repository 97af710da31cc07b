import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Memory, RememberedPod } from '../../src/memory/memory.js';
import { MOST_SEALED_BYTES } from '../../src/memory/memory-format.js';
import { fitMemory } from '../../src/run/table/room.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { memoryOf, namesIn, noted, nothingKnown, startProcess } from './memory-support.js';

const digestOf = (text: string | Buffer) =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22);

function podWith(name: string, files: number): RememberedPod {
  const root = `https://pods.example/${name}/`;
  const shares = Array.from({ length: files }, (_, index) => {
    const url = `${root}app/data/blood_pressure/bp_${index}.json.enc.ttl`;
    return { url, key: randomBytes(32), missingOn: [] };
  });
  return {
    root,
    shares: new Map(shares.map((share) => [share.url, share])),
    sums: null,
  };
}

test('a full memory is written and read, and only who takes the most gave way', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const usual = memoryOf('alice', 'bob');
  const pods = [podWith('many', 150_000), ...usual.pods.values(), podWith('more', 250_000)];
  const claims = pods.flatMap(({ root, shares }) =>
    [...shares.values()].map(({ key }): [string, string[]] => [
      digestOf(key ?? ''),
      [digestOf(root)],
    ]),
  );
  const all: Memory = {
    ...usual,
    pods: new Map(pods.map((pod) => [pod.root, pod])),
    claims: new Map(claims),
  };
  const { memory: fitted, gaveWay } = fitMemory(all, digestOf);
  const large = ['many', 'more'].map((name) => digestOf(`https://pods.example/${name}/`));
  expect([...gaveWay].sort()).toEqual(large.sort());
  const memory = startProcess(sharedSolidServer(), analyser);
  const outcome = await memory.write(await memory.read(nothingKnown), fitted);
  expect(outcome).toMatchObject({ written: { version: 1 } });
  const { body } = await analyser.client.request(memory.url, { maxBytes: MOST_SEALED_BYTES });
  // Sizes are estimated, and some room is kept free for the keys of older documents.
  expect(body.length).toBeGreaterThan(0.8 * MOST_SEALED_BYTES);
  expect(body.length).toBeLessThanOrEqual(MOST_SEALED_BYTES);
  const read = await startProcess(sharedSolidServer(), analyser).read(noted(1));
  expect(namesIn(read).sort()).toEqual(['alice', 'bob', 'many', 'more']);
  const count = (name: string) =>
    read.memory.pods.get(`https://pods.example/${name}/`)?.shares.size;
  expect([count('alice'), count('bob')]).toEqual([1, 1]);
  // Both keep what takes as much room.
  expect(count('many')).toBeGreaterThan(70_000);
  expect(count('more')).toBeGreaterThan(30_000);
}, 180_000);
