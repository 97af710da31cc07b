import { createPublicKey, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { agentRule, ownerRule, type Rule, writeAcl } from '../../src/pod/access-control.js';
import { aclAddress, podDocuments, webIdOfRoot } from '../../src/pod/addresses.js';
import { encryptContent } from '../../src/pod/crypto/content-cipher.js';
import { createPrivatePem, sealValue } from '../../src/pod/crypto/rsa.js';
import { buildEncryptedResource } from '../../src/pod/formats/encrypted-resource.js';
import { inboxHeading, shareId, shareStatements } from '../../src/pod/formats/shared-keys.js';
import { writeTurtle } from '../../src/pod/formats/vocabulary.js';
import { initialisePod } from '../../src/pod/initialise-pod.js';
import type { SolidClient } from '../../src/solid/solid-client.js';

/** An Analyser, and who shares what with it. */
export const podWorld = z.object({
  baseUrl: z.string(),
  analyserWebId: z.string(),
  contributors: z.array(z.object({ webId: z.string(), readings: z.array(z.string()) })),
});

export type World = z.infer<typeof podWorld> & {
  credentials: { clientId: string; clientSecret: string };
};

export const worldSize = z.object({
  pods: z.number(),
  readingsPerPod: z.number(),
  /** Entries of the inbox about files that are no readings. */
  otherShares: z.number().default(0),
  /** A file of the first Pod that is nothing but readings, to its last byte. */
  hugeFileBytes: z.number().default(0),
});
export type WorldSize = z.input<typeof worldSize>;

const APP = 'app';
export const SECURITY_KEY = 'the security key of the benchmark';
const FIRST_READING = Date.UTC(2020, 0, 1, 8);
const TWELVE_HOURS = 12 * 60 * 60 * 1000;

/** The documents are as the client app writes them: Turtle by address. */
export async function buildPodWorld(
  baseUrl: string,
  { pods, readingsPerPod, otherShares = 0, hugeFileBytes = 0 }: WorldSize,
): Promise<z.infer<typeof podWorld> & { documents: Map<string, string> }> {
  const documents = new Map<string, string>();
  const analyser = `${baseUrl}analyser/`;
  const analyserWebId = webIdOfRoot(analyser);
  const analyserKey = await createPrivatePem();
  await addPod(documents, analyser, analyserKey);
  const publicKey = createPublicKey(analyserKey);
  const seal = (text: string): string => sealValue(text, publicKey) ?? '';
  // Nobody opens the modes during an analysis, so one value does for all.
  const accessList = seal('read');

  const inbox = podDocuments(analyser, APP).sharedKeys;
  const shares: { url: string; key: Buffer }[] = [];
  const share = (root: string, url: string, text: string) => {
    const key = randomBytes(32);
    const content = encryptContent(text, key);
    documents.set(url, buildEncryptedResource(url, root, { content, inheritKeyFrom: null }));
    shares.push({ url, key });
  };
  const contributors = Array.from({ length: pods }, (_, index) => {
    const root = `${baseUrl}pod-${String(index + 1).padStart(4, '0')}/`;
    return { root, webId: webIdOfRoot(root), readings: new Array<string>() };
  });
  // All of them can be callers, and a caller's key may be anybody's.
  const callerKey = await createPrivatePem();
  for (const { root, webId, readings } of contributors) {
    await addPod(documents, root, callerKey);
    for (let index = 0; index < readingsPerPod; index += 1) {
      const { url, text } = buildReading(root, index);
      readings.push(url);
      share(root, url, text);
      addRules(documents, url, [ownerRule(url, webId), agentRule(url, analyserWebId, ['read'])]);
    }
  }
  const [first] = contributors;
  if (first !== undefined && hugeFileBytes > 0) {
    const url = `${podDocuments(first.root, APP).app}data/blood_pressure/huge.csv.enc.ttl`;
    share(first.root, url, `systolic,diastolic\n${'1,1\n'.repeat(hugeFileBytes / 4)}`);
  }
  for (let index = 0; index < otherShares; index += 1) {
    const url = `${baseUrl}pod-0001/${APP}/data/diary/day_${index}.json.enc.ttl`;
    shares.push({ url, key: randomBytes(32) });
  }
  const entries = shares.map(({ url, key }) => {
    const sealed = { path: seal(url), accessList, key: seal(key.toString('base64')) };
    return writeTurtle(shareStatements(shareId(url, analyserWebId), sealed));
  });
  documents.set(inbox, [writeTurtle(inboxHeading(inbox)), ...entries].join('\n'));
  return { baseUrl, analyserWebId, contributors, documents };
}

function buildReading(root: string, index: number): { url: string; text: string } {
  const timestamp = new Date(FIRST_READING + index * TWELVE_HOURS).toISOString().slice(0, 23);
  const name = timestamp.slice(0, 19).replaceAll(':', '-');
  const url = `${podDocuments(root, APP).app}data/blood_pressure/bp_${name}.json.enc.ttl`;
  const responses = {
    systolic: 110 + (index % 40),
    diastolic: 70 + (index % 25),
    heart_rate: 55 + (index % 35),
    feeling: 'Good',
    notes: '',
  };
  return { url, text: JSON.stringify({ timestamp, responses }) };
}

/** As the app makes a Pod ready at its first use. */
async function addPod(documents: Map<string, string>, root: string, key: string): Promise<void> {
  const webId = webIdOfRoot(root);
  const createKey = () => Promise.resolve(key);
  const pod = { webId, appDir: APP, securityKey: SECURITY_KEY, createKey };
  (await initialisePod(clientInto(documents), pod)).dispose();
  addRules(documents, root, [ownerRule(root, webId)]);
}

function clientInto(documents: Map<string, string>): SolidClient {
  return {
    request(url, { method, body } = {}) {
      if (method === 'PUT') documents.set(url, String(body));
      const stored = documents.get(url);
      const status = stored === undefined ? 404 : 200;
      return Promise.resolve({ url, status, headers: {}, body: Buffer.from(stored ?? '') });
    },
    close: () => Promise.resolve(),
  };
}

function addRules(documents: Map<string, string>, resource: string, rules: readonly Rule[]): void {
  documents.set(aclAddress(resource), writeAcl(resource, rules));
}
