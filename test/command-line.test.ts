import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runCommandLine } from '../src/cli/run-command-line.js';
import { startCommand, waitForEnd } from './support/child-process.js';
import { runMode } from './support/command-line.js';
import { modes } from './support/modes.js';
import { folderForEach } from './support/temp-folder.js';

const secrets = {
  security_key: 'secret-of-the-pod',
  client_id: 'secret-client-id',
  client_secret: 'secret-of-the-client',
  token: 'secret-of-the-callers',
};

const configText = `analyser:
  web_id: https://pods.example.org/analyser/profile/card#me
  security_key: ${secrets.security_key}
  credentials: {client_id: ${secrets.client_id}, client_secret: ${secrets.client_secret}}
grpc: {token: ${secrets.token}}
`;

const folder = folderForEach();

const run = (args: string[], env: Record<string, string> = {}) =>
  runMode(args, { cwd: folder(), env });

test.each([
  [['chekc'], "error: unknown command 'chekc'\n(Did you mean check?)\nSee --help."],
  [['app', 'lsit'], "error: unknown command 'lsit'\n(Did you mean list?)\nSee --help."],
  [
    ['show-config', '--jsno'],
    "error: unknown option '--jsno'\n(Did you mean --json?)\nSee --help.",
  ],
  [['show-config', '--config'], /^error: option '--config <file>' argument missing\nSee --help\.$/],
  [['show-config', 'extra'], /^error: too many arguments/],
  [['analyse'], /^error: missing required argument 'web_id'/],
  // All modes, or those of the group.
  [[], /Modes:\n {2}demo /],
  [['app'], /init .*\n {2}add /],
])('%j is a mistake on the command line: told on stderr, exit code 2', async (args, told) => {
  const { code, out, err } = await run(args);
  expect(err).toEqual(typeof told === 'string' ? told : expect.stringMatching(told));
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

test('a process passes on what is printed, where it belongs, and the exit code', async () => {
  const place = { cwd: folder() };
  const wrong = await run(['chekc']);
  const { signal, ...ended } = await waitForEnd(startCommand(['chekc'], place));
  expect(ended).toEqual({ ...wrong, err: `${wrong.err}\n` });
  expect(signal).toBeNull();
  const { out } = await run(['--help']);
  expect(await waitForEnd(startCommand(['--help'], place))).toMatchObject({
    code: 0,
    out: `${out}\n`,
    err: '',
  });
});

test.each(['show-config', 'serve', 'setup', 'app list'])(
  '%s refuses a variable of the analyser that is misspelt: a port believed guarded would be open',
  async (mode) => {
    await writeFile(join(folder(), 'config.yaml'), configText, { mode: 0o600 });
    const { code, out, err } = await run(mode.split(' '), { APP_ANALYSER_GRPC_TOKN: 'x' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^APP_ANALYSER_GRPC_TOKN is unknown; .* APP_ANALYSER_GRPC_TOKEN,/);
  },
);

test('in colours, all lines of a mistake are red', async () => {
  const lines: string[] = [];
  const print = (text: string) => lines.push(text);
  const colours = { out: true, err: true };
  await runCommandLine(['chekc'], { env: {}, cwd: folder(), print, printError: print, colours });
  expect(lines).toEqual([
    "\u001b[31merror: unknown command 'chekc'\u001b[39m",
    '\u001b[31m(Did you mean check?)\u001b[39m',
    'See --help.',
  ]);
});

test('help is --help, of everything or of one mode', async () => {
  const [all, sameAll, one, sameOne] = await Promise.all([
    run(['help']),
    run(['--help']),
    run(['help', 'analyse']),
    run(['analyse', '--help']),
  ]);
  expect(all).toEqual(sameAll);
  expect(all.out).not.toContain('Commands:');
  expect(all.code).toBe(0);
  for (const { name } of modes) expect(all.out).toContain(name.split(' ')[0]);
  expect(one).toEqual(sameOne);
  expect(one.out).toContain('analyse [options] <web_id>');
});

test('--config names the configuration, and wins over APP_ANALYSER_CONFIG', async () => {
  await writeFile(join(folder(), 'other.yaml'), configText, { mode: 0o600 });
  const args = ['show-config', '--json', '--config', 'other.yaml'];
  const { code, out } = await run(args, { APP_ANALYSER_CONFIG: 'missing.yaml' });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ config_file: join(folder(), 'other.yaml') });
});

test.each([
  ['YAML', [], (text: string): unknown => parse(text)],
  ['JSON', ['--json'], (text: string): unknown => JSON.parse(text)],
])('[T18][T32] show-config prints %s with every secret only as set', async (_, flags, read) => {
  const path = join(folder(), 'config.yaml');
  await writeFile(path, configText);
  const env = { APP_ANALYSER_CLIENT_ID: 'secret-of-the-environment' };
  const { code, out, err } = await run(['show-config', ...flags], env);
  for (const secret of [...Object.values(secrets), 'secret-of-the-environment']) {
    expect(out + err).not.toContain(secret);
  }
  const credentials = { client_id: 'set', client_secret: 'set' };
  expect(read(out)).toMatchObject({
    config_file: path,
    analyser: { server_url: 'https://pods.example.org/', security_key: 'set', credentials },
    grpc: { port: 50051, token: 'set' },
    output: { results_dir: join(folder(), 'var/results') },
  });
  expect(err).toMatch(/^Warning: .*config\.yaml holds secrets .*chmod 600/);
  expect(code).toBe(0);
});

test('show-config shows secrets that are missing as missing', async () => {
  const webId = 'https://pods.example.org/analyser/profile/card#me';
  await writeFile(join(folder(), 'config.yaml'), `analyser: {web_id: "${webId}"}\n`);
  const { code, out, err } = await run(['show-config']);
  const credentials = { client_id: 'missing', client_secret: 'missing' };
  expect(parse(out)).toMatchObject({
    analyser: { security_key: 'missing', credentials },
    grpc: { token: 'not set' },
  });
  expect({ code, err }).toEqual({ code: 0, err: '' });
});
