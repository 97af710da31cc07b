import { createPrivateKey } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createPrivatePem, publicBodyOf } from '../../src/pod/crypto/rsa.js';
import { buildPublicKey } from '../../src/pod/formats/public-key.js';
import { startAnalyserService } from '../support/analyser-service.js';
import { createContributor, readingText, sharePlain, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { serveUntilEnd } from '../support/listen.js';
import { collectOwn } from '../support/published.js';
import { folderOfPod, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { createAttacker } from './attacker.js';

/**
 * A contributor whose Pod is on a server of their own, which the operator allowed. It answers
 * whatever it likes, and learns and changes nothing of anybody else by it.
 */
const server = sharedSolidServer();
const own = { timestamp: '2026-02-01T08:00:00.000', systolic: 140, diastolic: 90, heart_rate: 80 };
const secret = { ...own, systolic: 199, diastolic: 111 };
const elsewhere = createServer((request, response) => {
  answer(request, response);
});

const hostile: Record<string, (response: ServerResponse) => void> = {
  // What is not encrypted counts where its server says that nobody else may write to it.
  'own.json.enc.ttl': (response) =>
    response.writeHead(200, { 'wac-allow': 'user="read"' }).end(readingText(own)),
  'stolen.json.enc.ttl': (response) => response.writeHead(302, { location: stolen }).end(),
  'moved.json.enc.ttl': (response) => response.writeHead(308, { location: stolen }).end(),
  'circle.json.enc.ttl': (response) =>
    response.writeHead(302, { location: 'circle.json.enc.ttl' }).end(),
  'packed.json.enc.ttl': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(readingText(own))),
  'endless.json.enc.ttl': (response) => {
    const chunk = Buffer.alloc(65_536, '[');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  },
  'nested.json.enc.ttl': (response) => response.end('['.repeat(4_000_000)),
  'nested.enc.ttl': (response) => response.end('['.repeat(4_000_000)),
  'cut.json.enc.ttl': (response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{');
    response.destroy();
  },
};

/** Some nine megabytes, which a server may send. */
const millionMembers = `<> <http://www.w3.org/ns/ldp#contains> ${Array.from(
  { length: 1_000_000 },
  (_, index) => `<${index}>`,
).join()} .`;

function answer({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
  const name = url.slice(url.lastIndexOf('/') + 1);
  if (name === 'public-key.ttl') response.end(publicKey);
  else if (method === 'PATCH') {
    response.writeHead(307, { location: analyser.pod.documents.encKeys }).end();
  } else if (url.endsWith('/million/')) {
    response.writeHead(200, { 'content-type': 'text/turtle' }).end(millionMembers);
  } else (hostile[name] ?? ((missing) => missing.writeHead(404).end()))(response);
}

const origin = await serveUntilEnd(elsewhere);
const root = `${origin}/mallory/`;
const publicBody = publicBodyOf(createPrivateKey(await createPrivatePem()));
const publicKey = buildPublicKey(`${root}app/sharing/public-key.ttl`, publicBody);

const analyser = await createInitialisedPod(server);
const alice = await createContributor(server, analyser, weekly([120, 80, 60]));
const file = {
  name: 'secret.json.enc.ttl',
  content: readingText(secret),
  contentType: 'application/json',
};
const stolen = await sharePlain(alice, analyser, file);
const eve = await createInitialisedPod(server);
const attacker = await createAttacker(eve, analyser);
await attacker.plant(
  [...Object.keys(hostile), 'million/'].map((name) => ({
    url: `${root}app/data/blood_pressure/${name}`,
  })),
);
const { client } = await startAnalyserService(server, analyser, {
  data: { allowed_origins: [origin] },
});

describe('a server that answers whatever it likes', () => {
  test('[T1] is told of its own readings only, and makes the Analyser write nowhere else', async () => {
    const folder = folderOfPod(`${analyser.pod.root}app/encryption/`);
    const before = await takeSnapshot(folder);
    const reply = await client.analyse(`${root}profile/card#me`);
    expect(reply).toMatchObject({
      status: 'ANALYSE_STATUS_COMPLETED',
      observation_count: 1,
      files_read: 1,
      files_skipped: Object.keys(hostile).length - 1,
      published: false,
    });
    const { 'ind-keys.ttl': _, ...after } = await takeSnapshot(folder);
    const { 'ind-keys.ttl': __, ...expected } = before;
    expect(after).toEqual(expected);
    expect(Object.keys(after)).not.toEqual([]);
  });

  test('[5.13] takes nothing from anybody else', async () => {
    const reply = await client.analyse(alice.pod.webId);
    expect(reply).toMatchObject({
      status: 'ANALYSE_STATUS_COMPLETED',
      observation_count: 2,
      files_read: 2,
      files_skipped: 0,
      pod_count: 2,
      published: true,
    });
    const { average } = await collectOwn(analyser, alice);
    expect(average).toMatchObject({ systolic: 159.5, diastolic: 95.5 });
  });
});
