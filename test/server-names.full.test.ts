import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runMode } from './support/command-line.js';
import { sharedSolidServer } from './support/solid-server.js';
import { folderForEach } from './support/temp-folder.js';

/** The server calls itself localhost. */
const { port } = new URL(sharedSolidServer().baseUrl);
const foreign = `The server at 127.0.0.1:${port} does not know itself by that name: use the address in its own configuration (its base URL), to the letter.`;
const overTls = `https://localhost:${port}/.account/ could not be reached: it does not speak TLS; its address may begin with http:// instead of https://.`;

const cwd = folderForEach();

test.each([
  ['a name that the server does not know', `http://127.0.0.1:${port}/`, foreign],
  ['https to a server of http', `https://localhost:${port}/`, overTls],
])('setup tells %s in one sentence and writes nothing', async (_, address, err) => {
  const env = {
    APP_SETUP_PASSWORD: 'the password of the account',
    APP_ANALYSER_SECURITY_KEY: 'a key that is long enough',
  };
  const args = ['setup', '--server', address, '--email', 'analyser@pods.example'];
  expect(await runMode(args, { cwd: cwd(), env })).toEqual({ code: 4, out: '', err });
  expect(await readdir(cwd())).toEqual([]);
});
