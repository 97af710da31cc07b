import { once } from 'node:events';
import { expect, test } from 'vitest';
import { AnalyseReply } from '../../src/generated/healthpod/analyser/v1/analyser.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { writeEncryptedResources } from '../../src/pod/write-resource.js';
import { startAnalyserService } from '../support/analyser-service.js';
import { atEnd } from '../support/at-end.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { collectOwn } from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { analyseMessage, GrpcAttacker } from './grpc-attacker.js';

/** A stranger calls in the name of Vera, whose result they may not read. */
const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const [vera] = await Promise.all([
  createInitialisedPod(server),
  createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70])),
  createContributor(server, analyser, weekly([110, 70, 50])),
]);
const service = await startAnalyserService(server, analyser);
const attacker = new GrpcAttacker(service.port);
atEnd(() => attacker[Symbol.dispose]());

type Values = [systolic: number | null, diastolic: number, heartRate: number];

/** Vera has the same file with other values in it, and shares it. */
async function recordAndShare(...values: Values[]): Promise<void> {
  const url = `${vera.pod.documents.app}data/blood_pressure/bp_year.json.enc.ttl`;
  const readings = values.map(([systolic, diastolic, heart_rate], day) => ({
    timestamp: `2026-03-0${day + 1}T08:00:00`,
    responses: { systolic, diastolic, heart_rate },
  }));
  await writeEncryptedResources(vera.client, vera.pod, [
    { url, content: JSON.stringify(readings) },
  ]);
  const recipientWebId = analyser.pod.webId;
  await shareResources(vera.client, vera.pod, { urls: [url], recipientWebId });
}

interface RawReply {
  headers: string;
  message: Buffer;
}

/** The reply as it comes over the wire. */
async function askInHerName(): Promise<RawReply> {
  const call = attacker.openCall(attacker.session());
  call.end(analyseMessage(vera.pod.webId));
  let headers: Record<string, unknown> = {};
  call.on('response', (received) => {
    headers = { ...received, date: '' };
  });
  call.on('trailers', (received) => {
    headers = { ...headers, ...received };
  });
  const parts: Buffer[] = [];
  call.on('data', (part: Buffer) => parts.push(part));
  await once(call, 'end');
  return { headers: JSON.stringify(headers), message: Buffer.concat(parts).subarray(5) };
}

test('[8.6] a reply is the same whatever the readings say, as long as as many of them count', async () => {
  // One of each is left out, for another reason.
  await recordAndShare([143, 92, 77], [151, 97, 81], [400, 60, 60]);
  const one = await askInHerName();
  const { generated_at, average } = await collectOwn(analyser, vera);
  expect(average.systolic).toBe(147);
  await recordAndShare([118, 71, 58], [104, 64, 52], [null, 60, 60]);
  const other = await askInHerName();

  expect(AnalyseReply.decode(one.message)).toMatchObject({
    published: true,
    run_id: expect.stringMatching(/^\d{8}T\d{6}Z$/),
    generated_at,
    files_read: 1,
    observation_count: 2,
  });
  const { run_id: _, generated_at: __, ...rest } = AnalyseReply.decode(one.message);
  expect(AnalyseReply.decode(other.message)).toMatchObject(rest);
  // Names are as long in every analysis, so nothing else is in it either.
  expect(other.message).toHaveLength(one.message.length);
  expect(other.headers).toEqual(one.headers);
});
