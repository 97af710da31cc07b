import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runMode } from '../support/command-line.js';
import { serveUntilEnd } from '../support/listen.js';
import { newFolder } from '../support/temp-folder.js';

/** A server whose account interface says what it should not: `setup` was pointed at it. */
const password = 'the password of the operator';
const heardElsewhere: string[] = [];
let lies: Record<string, unknown>;

const cwd = await newFolder();
const liar = await serveUntilEnd(
  createServer((request, response) => {
    const answer = lies[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  }),
);
const elsewhere = await serveUntilEnd(
  createServer((request, response) => {
    heardElsewhere.push(request.url ?? '');
    response.end('{}');
  }),
);

beforeEach(() => {
  const at = (path: string) => `${liar}${path}`;
  const account = {
    create: at('/create'),
    pod: at('/pods'),
    clientCredentials: at('/credentials'),
  };
  lies = {
    '/.account/': {
      controls: { password: { login: at('/login'), create: at('/password') }, account },
    },
    '/login': { authorization: 'token' },
    '/pods': { pods: { [at('/analyser/')]: 'x' } },
    '/credentials': { id: 'id', secret: 'secret', resource: at('/credentials/1') },
  };
});
afterEach(async () => {
  expect(heardElsewhere).toEqual([]);
  // The file of secrets holds what was made up, for the next try.
  expect((await readdir(cwd)).filter((name) => name !== 'a.env')).toEqual([]);
  await rm(join(cwd, 'a.env'), { force: true });
});

async function setUp() {
  const args = ['--server', liar, '--email', 'o@operators.example', '--pod', 'analyser'];
  const env = { APP_SETUP_PASSWORD: password };
  const { code, out, err } = await runMode(['setup', ...args, '--config', 'a.yaml'], { cwd, env });
  return { code, text: out + err };
}

test('[T1] the password goes to no other server', async () => {
  const controls = { password: { login: `${elsewhere}/login` }, account: {} };
  lies['/.account/'] = { controls };
  const { code, text } = await setUp();
  expect(code).toBe(4);
  expect(text).toContain(elsewhere);
});

test.each([
  ['is on another server', () => `${elsewhere.replace('127.0.0.1', 'localhost')}/analyser/`],
  ['is no address', () => 'javascript:/analyser/'],
  ['is nothing', () => '/analyser/'],
])('[T1] a Pod that %s is not taken', async (_, pod) => {
  lies['/pods'] = { pods: { [pod()]: 'x' } };
  const { code, text } = await setUp();
  expect(code).toBe(4);
  expect(text).toContain('named a Pod that is not on it');
});

test.each([
  ['text in place of an object', '/.account/', 'hello'],
  ['no token', '/login', {}],
  ['a list of Pods that is none', '/pods', { pods: [1] }],
  ['credentials that are none', '/credentials', { id: 5 }],
])('%s ends with a message and leaves no configuration', async (_, path, lie) => {
  lies[path] = lie;
  const { code, text } = await setUp();
  expect(code).toBeGreaterThan(1);
  expect(text).toContain(liar);
  expect(text).not.toMatch(/^\s+at /m);
});
