import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProofMetadata } from '../../src/client/calls.js';
import { putDocument } from '../../src/solid/documents.js';
import { startService } from '../grpc/child-service.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, sharePlain, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';

const server = sharedSolidServer();
const publicUrl = 'https://analyser.example:8443';
const analyser = await createInitialisedPod(server);

/** A text of so many bytes: half of it is one base, and half are names that lean on it. */
function shortText(bytes: number): string {
  const base = `@base <http://h.example/${'a'.repeat(bytes / 2)}/>.`;
  return base + Array.from({ length: bytes / 30 }, (_, i) => `<./${i}> a <../>.`).join('');
}

async function add({ client }: InitialisedPod, url: string, before: string): Promise<void> {
  const { status, body } = await client.request(url);
  await putDocument(client, url, `${status === 200 ? body.toString() : ''}\n${before}`);
}

test('[T4] short texts that stand for gigabytes keep nobody’s analysis from its end', async () => {
  const people: InitialisedPod[] = [];
  for (const systolic of [120, 130, 140]) {
    people.push(await createContributor(server, analyser, weekly([systolic, 80, 60])));
  }
  const mallory = await createInitialisedPod(server);
  const folder = await newFolder();
  const grpc = { host: '127.0.0.1', port: 0, require_web_id_proof: true, public_url: publicUrl };
  await writeConfigFile(folder, analyser, { grpc });
  await using service = await startService(folder);
  const call = async ({ client, pod }: InitialisedPod) =>
    service.client.analyse(
      pod.webId,
      {},
      {},
      { ...(await createProofMetadata(client, publicUrl, 'analyse')) },
    );
  const proof = { ...(await createProofMetadata(mallory.client, publicUrl, 'analyse')) };

  const file = { name: 'x.enc.ttl', content: shortText(150_000), contentType: 'text/turtle' };
  const url = await sharePlain(mallory, analyser, file);
  const [alice] = people;
  if (alice === undefined) throw new Error('There is nobody.');
  await add(mallory, alice.pod.documents.sharedKeys, shortText(575_000));
  await putDocument(mallory.client, mallory.pod.webId.replace('#me', ''), shortText(261_000));

  const completed = { status: 'ANALYSE_STATUS_COMPLETED', observation_count: 1 };
  const unproved = expect(service.client.analyse(mallory.pod.webId, {}, {}, proof)).rejects.toThrow(
    /the profile of the WebID cannot be read/,
  );
  const [first, ...others] = await Promise.all(people.map(call));
  // Whoever can spoil an inbox can empty it as well: her key does not arrive, and her figures do.
  expect(first).toMatchObject({ ...completed, published: false });
  for (const other of others) expect(other).toMatchObject({ ...completed, published: true });
  await unproved;

  const latest = await readFile(join(folder, 'var/results/latest.json'), 'utf8');
  expect(latest).toContain(`${url}: it is encrypted in a way that this version does not know`);

  // Nobody new can be found in it any more; who was read before counts.
  await add(mallory, analyser.pod.documents.sharedKeys, shortText(800_000));
  for (const reply of await Promise.all(people.slice(1).map(call))) {
    expect(reply).toMatchObject({ ...completed, published: true, pod_count: 3 });
  }
  expect(await service.client.status()).toMatchObject({ ready: true });
}, 300_000);
