import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { serveUntilEnd } from '../../../test/support/listen.js';
import { findPod } from './own-account.js';

let root = '';
const origin = await serveUntilEnd(
  createServer((_, response) => response.end(JSON.stringify({ pods: { [root]: 'x' } }))),
);
const serverUrl = `${origin.replace('127.0.0.1', 'localhost')}/`;
const account = {
  serverUrl,
  controls: { password: {}, account: { pod: `${serverUrl}pods` } },
};

test.each([
  ['on the server', 'http://localhost/analyser/'],
  ['on a host below it', 'http://analyser.localhost/'],
])('a Pod %s is taken', async (_, given) => {
  root = given;
  expect(await findPod(account, 'analyser')).toEqual({
    webId: `${given}profile/card#me`,
    isNew: false,
  });
});

test.each([
  ['whose name only ends like that of the server', 'http://evillocalhost/analyser/'],
  ['that the name of the server begins', 'http://localhost.example/analyser/'],
])('[T1] a Pod at a host %s is not taken, and gets no keys', async (_, given) => {
  root = given;
  await expect(findPod(account, 'analyser')).rejects.toThrow('named a Pod that is not on it');
});
