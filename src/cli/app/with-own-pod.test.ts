import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { serveUntilEnd } from '../../../test/support/listen.js';
import { publishers } from '../../../test/support/publishing.js';
import { folderForEach } from '../../../test/support/temp-folder.js';
import { ownPodOf } from '../../client/open-own-pod.js';
import { createPrinter } from '../printer.js';
import { withOwnPod } from './with-own-pod.js';

const folder = folderForEach();
const { client, pod } = (await publishers('anna')).person('anna');

const server = await serveUntilEnd(
  createServer(({ url = '' }, response) => {
    const at = (path: string) => `${server}${path}`;
    const controls = {
      password: { login: at('/login') },
      account: { clientCredentials: at('/new') },
    };
    const answers = new Map<string, object>([
      ['/.account/', { controls }],
      ['/login', { authorization: 'token' }],
      ['/new', { id: 'anna-1', secret: 's3cret' }],
    ]);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers.get(url) ?? {}));
  }),
);

/** Opens a Pod with the settings of the folder; returns what was printed as an error. */
async function open(env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const errors: string[] = [];
  const print = () => undefined;
  const printer = createPrinter({ print, printError: (line) => void errors.push(line) });
  const context = { ...printer, verbose: false, cwd: folder(), env };
  const opened = () => Promise.resolve(ownPodOf(client, pod));
  await withOwnPod(context, {}, () => undefined, opened);
  return errors;
}

test('[T43] of an account, which gives credentials for it, no password is kept', async () => {
  const path = join(folder(), 'app.yaml');
  await writeFile(path, `web_id: ${pod.webId}\nserver_url: ${server}/\n`, { mode: 0o600 });
  await open({ APP_USER_EMAIL: 'anna@people.example', APP_USER_PASSWORD: 'correct horse' });
  const text = await readFile(path, 'utf8');
  const credentials = { client_id: 'anna-1', client_secret: 's3cret' };
  expect(parse(text)).toEqual({ web_id: pod.webId, server_url: `${server}/`, credentials });
});

test('[T32] whoever uses settings that other accounts can read is told', async () => {
  const path = join(folder(), 'app.yaml');
  const credentials = 'credentials: { client_id: anna-1, client_secret: s3cret }';
  await writeFile(path, `web_id: ${pod.webId}\nserver_url: ${server}/\n${credentials}\n`);
  await chmod(path, 0o600);
  expect(await open()).toEqual([]);
  await chmod(path, 0o644);
  expect(await open()).toEqual([
    expect.stringContaining(`${path} holds secrets and other accounts`),
  ]);
});
