import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { podDocuments } from '../../src/pod/addresses.js';
import { decryptContent, readResourceKey } from '../../src/pod/crypto/content-cipher.js';
import { deriveKeys } from '../../src/pod/crypto/derive-keys.js';
import { deriveDocumentKey } from '../../src/pod/crypto/document-key.js';
import {
  openPrivateKey,
  openPrivateKeyText,
  openValue,
  publicBodyOf,
} from '../../src/pod/crypto/rsa.js';
import { parseEncKeys } from '../../src/pod/formats/enc-keys.js';
import { parseEncryptedResource } from '../../src/pod/formats/encrypted-resource.js';
import { IndKeys } from '../../src/pod/formats/ind-keys.js';
import { shareId, shareSubject } from '../../src/pod/formats/shared-keys.js';
import { singleValues, vocabulary as v } from '../../src/pod/formats/vocabulary.js';
import { logLine } from '../../src/pod/sharing/permissions-log.js';
import { serverSpelling } from '../../src/solid/server-spelling.js';
import { readTurtle } from '../../src/solid/turtle.js';
import vectors from '../fixtures/solidpod.json' with { type: 'json' };

/** docs/pod-format.md and the Pod beside it, against the values of the app and against our code. */
const docs = new URL('../../docs/', import.meta.url);
const page = readFileSync(new URL('pod-format.md', docs), 'utf8');
const root = 'https://pods.example.org/alice/';
const documents = podDocuments(root, 'app');
const alice = `${root}profile/card#me`;
const analyser = 'https://pods.example.org/analyser/profile/card#me';
const readingUrl = `${documents.app}data/blood_pressure/bp_2026-08-19T09-15-00.json.enc.ttl`;
const resultUrl =
  'https://pods.example.org/analyser/app/data/analyser/pods.example.org-alice/bp-average.json.enc.ttl';
const resultKey = Buffer.from('the key of the result of alice..');

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');

/** The rows of a table of vectors, without the marks of code. */
function tableOf(title: string): string[][] {
  const [, table = ''] = page.split(`| Vectors: ${title} | value |\n|---|---|\n`);
  const rows = table.split('\n\n')[0] ?? '';
  return rows
    .trim()
    .split('\n')
    .map((row) => {
      const [, name = '', value = ''] = /^\| (.+) \| `(.+)` \|$/.exec(row) ?? [];
      return [name, value];
    });
}

/** A document of the example Pod. */
function exampleOf(url: string): { body: string; url: string } {
  const path = `examples/pod/${url.slice(documents.app.length)}`;
  return { body: readFileSync(new URL(path, docs), 'utf8'), url };
}

test('the vectors of keys are those of the app', async () => {
  const salt = bytes(vectors.salt);
  const legacy = await deriveKeys(vectors.security_key, null);
  const keys = await deriveKeys(vectors.security_key, salt);
  expect(tableOf('keys')).toEqual([
    ['security key', vectors.security_key],
    ['salt', vectors.salt],
    ['master key, version 2', keys.masterKey.toString('base64')],
    ['verification value, version 2', keys.verification],
    ['master key, version 1, as text', legacy.masterKey.toString()],
    ['verification value, version 1', legacy.verification],
  ]);
  expect(keys.masterKey.toString('base64')).toBe(vectors.master_key);
});

test('the vectors of what is encrypted are those of the app', () => {
  expect(tableOf('resource key')).toEqual([
    ['key', vectors.resource_key],
    ['IV', vectors.iv],
    ['`terms:sessionKey` under the master key', vectors.sealed_resource_key],
  ]);
  expect(tableOf('a reading')).toEqual([
    ['content', vectors.plaintext],
    ['IV', vectors.iv],
    ['`terms:encData` under the resource key above', vectors.content_aes_ctr],
  ]);
  const [masterKey, iv] = [bytes(vectors.master_key), vectors.iv];
  const sealed = { iv, data: vectors.sealed_resource_key };
  const key = readResourceKey(decryptContent(sealed, masterKey)) ?? Buffer.alloc(0);
  expect(decryptContent({ iv, data: vectors.content_aes_ctr }, key)?.toString()).toBe(
    vectors.plaintext,
  );
  const atRest = { iv, data: vectors.master_key_aes_cbc };
  expect(openPrivateKeyText(atRest, masterKey)).toBe(vectors.plaintext);
});

test('the vectors of shares and addresses are what our code makes of them', () => {
  const line = logLine(readingUrl, {
    time: new Date(2026, 7, 19, 9, 20, 0),
    ownerWebId: alice,
    action: 'grant',
    recipientWebId: analyser,
  });
  expect(tableOf('sharing')).toEqual([
    ['resource', readingUrl],
    ['recipient', analyser],
    ['share id', shareId(readingUrl, analyser)],
    ['line of the log', line],
  ]);
  expect(exampleOf(documents.permissionsLog).body).toContain(`"${line}"`);
  expect(tableOf('a result')).toEqual([
    ['result', resultUrl],
    ['reader', alice],
    ['share id', shareId(resultUrl, alice)],
    ['key in `data:sharedKey` of that entry', resultKey.toString('base64')],
  ]);
  const address =
    'http://localhost:3000/analyser/app/data/analyser/localhost:3000-alice/bp-average.json.enc.ttl';
  expect(tableOf('addresses')).toEqual([
    ['address', address],
    ['in a request, in `htu` and in rules of access', serverSpelling(address)],
  ]);
  expect(page.match(/Vectors: /g)).toHaveLength(6);
});

test('the example Pod opens with the security key of the vectors', async () => {
  const read = (url: string) => readTurtle(exampleOf(url).body, url);
  const stored = parseEncKeys(await read(documents.encKeys));
  const { masterKey, verification } = await deriveKeys(vectors.security_key, stored.salt);
  expect(stored).toMatchObject({ keyVersion: 2, salt: bytes(vectors.salt), verification });
  const privateKey = openPrivateKey(stored.sealedPrivateKey, masterKey);
  if (privateKey === null) throw new Error('the private key does not open');
  expect(singleValues(await read(documents.publicKey)).one(v.pubKey)).toBe(
    publicBodyOf(privateKey),
  );
  // Computed from the primes by other means (openssl and Python).
  expect(deriveDocumentKey(privateKey, 'app/analyser/memory.txt').toString('hex')).toBe(
    'e4fb744a92832cad2d5b3ab0f387d16f9f997c51b9c7ce30c82a2083a6560ac4',
  );

  const indKeys = new IndKeys(await read(documents.indKeys));
  const { key } = indKeys.entryOf(readingUrl, { root, masterKey });
  expect(key).toEqual(bytes(vectors.resource_key));
  const reading = await parseEncryptedResource(Buffer.from(exampleOf(readingUrl).body), readingUrl);
  expect(decryptContent(reading.content, bytes(vectors.resource_key))?.toString()).toBe(
    vectors.plaintext,
  );

  const inbox = await read(documents.sharedKeys);
  const opened = [v.sharedPath, v.sharedAccess, v.sharedKey].map((predicate) => {
    const [sealed = ''] = inbox.literals(shareSubject(shareId(resultUrl, alice)), predicate);
    return openValue(sealed, privateKey);
  });
  expect(opened.slice(0, 2).map(String)).toEqual([resultUrl, 'read']);
  expect(readResourceKey(opened[2] ?? null)).toEqual(resultKey);
});
