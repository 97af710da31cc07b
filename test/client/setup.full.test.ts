import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { initialiseOwnPod } from '../../src/client/client.js';
import {
  createAccount,
  createAccountPod,
  issueClientCredentials,
  logInToAccount,
} from '../../src/solid/css-account.js';
import { runMode } from '../support/command-line.js';
import { listen } from '../support/listen.js';
import { sharedSolidServer, uniquePodName } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';

const server = sharedSolidServer();
const cwd = await newFolder();

interface Operator {
  name: string;
  email: string;
  password: string;
}

function newOperator(): Operator {
  const name = uniquePodName('analyser');
  return { name, email: `${name}@operators.example`, password: `password of ${name}` };
}

function setUp(
  { name, email, password }: Operator,
  { flags = [], env = {} }: { flags?: string[]; env?: Record<string, string> } = {},
) {
  const args = ['--server', server.baseUrl, '--email', email, '--pod', name];
  const config = flags.includes('--config') ? [] : ['--config', `${name}.yaml`];
  return runMode(['setup', ...args, ...config, ...flags], {
    cwd,
    env: { APP_SETUP_PASSWORD: password, ...env },
  });
}

const fileOf = ({ name }: Operator) => join(cwd, `${name}.yaml`);
const secretsOf = ({ name }: Operator) => join(cwd, `${name}.env`);
const readSecrets = async (operator: Operator) =>
  parseEnv(await readFile(secretsOf(operator), 'utf8'));

async function keep(operator: Operator, secrets: Record<string, string | undefined>) {
  const lines = Object.entries(secrets).map(([name, value]) => `${name}='${value}'\n`);
  await writeFile(secretsOf(operator), lines.join(''), { mode: 0o600 });
}

test('on an empty server makes everything, and keeps what was made up', async () => {
  const operator = newOperator();
  const webId = `${server.baseUrl}${operator.name}/profile/card#me`;
  const { code, out, err } = await setUp(operator);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(`account        created for ${operator.email}`);
  expect(out).toContain(`Pod            created: ${webId}`);
  expect(out).toContain(`.env, bound to ${webId}`);
  expect(out).toContain('keys           made');
  const secrets = await readSecrets(operator);
  expect(Object.keys(secrets).sort()).toEqual([
    'APP_ANALYSER_CLIENT_ID',
    'APP_ANALYSER_CLIENT_SECRET',
    'APP_ANALYSER_GRPC_TOKEN',
    'APP_ANALYSER_SECURITY_KEY',
  ]);
  // No secret is on the terminal.
  for (const secret of Object.values(secrets)) expect(out).not.toContain(secret);
  expect(out).toContain(`Keep a copy of the security key in ${secretsOf(operator)}`);
  // Only what differs from the defaults.
  const text = await readFile(fileOf(operator), 'utf8');
  expect(parse(text)).toEqual({
    analyser: { web_id: webId },
    sharing: { minimum_cohort_pods: 3 },
  });
  expect(text).toMatch(/^# .*config\.example\.yaml.*\.env\.\n/);
  const modes = await Promise.all(
    [fileOf(operator), secretsOf(operator)].map((path) => stat(path)),
  );
  expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600]);
  // What check prints, which logs in and unlocks with what was written.
  expect(out).toMatch(/^Unlock +ok/m);
  expect(out).toMatch(
    /^Findings +1\n {2}Warning: Other machines reach 0\.0\.0\.0:50051, and there is no grpc\.tls_cert_file/m,
  );
  const command = `\\S+ (grpc|serve) --config ${fileOf(operator)}`;
  expect(out).toMatch(
    new RegExp(`\\nStart the service: +${command}\\nand beside it the pages: +${command}$`),
  );
});

test('the smallest cohort whose averages are sent can be another one', async () => {
  const operator = newOperator();
  expect(await setUp(operator, { flags: ['--minimum-cohort-pods', 'few'] })).toMatchObject({
    code: 2,
    err: '--minimum-cohort-pods: expected a whole number from 0 to 1000000, got "few".',
  });
  const { code, out } = await setUp(operator, { flags: ['--minimum-cohort-pods', '2'] });
  expect(code).toBe(0);
  expect(parse(await readFile(fileOf(operator), 'utf8'))).toMatchObject({
    sharing: { minimum_cohort_pods: 2 },
  });
  // Of exact figures of two Pods, check tells.
  expect(out).toMatch(/^Cohort averages +exact, also of two Pods/m);
});

test('where there is a configuration, nothing is changed or asked on the server', async () => {
  const operator = newOperator();
  await writeFile(fileOf(operator), 'analyser:\n');
  expect(await setUp(operator)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(
      /^There is a configuration at .* already, .* put \S+\.yaml and \S+\.env aside and give the security key of its Pod\.$/,
    ),
  });
  await expect(logInToAccount(server.baseUrl, operator)).rejects.toThrow();
  expect(await readFile(fileOf(operator), 'utf8')).toBe('analyser:\n');
});

describe('a set-up that broke off', () => {
  test('before the configuration takes the secrets that it kept, and issues none anew', async () => {
    const operator = newOperator();
    expect((await setUp(operator)).code).toBe(0);
    const before = await readSecrets(operator);
    await rm(fileOf(operator));
    const { code, out } = await setUp(operator);
    expect(code).toBe(0);
    expect(out).toContain('keys           found, and the security key opens them');
    expect(await readSecrets(operator)).toEqual(before);
  });

  test('with a key that was kept refuses another, which would lock the Pod', async () => {
    const operator = newOperator();
    await keep(operator, { APP_ANALYSER_SECURITY_KEY: 'the key that was kept' });
    expect(
      await setUp(operator, { env: { APP_ANALYSER_SECURITY_KEY: 'another long key' } }),
    ).toMatchObject({ code: 2, err: expect.stringContaining('holds another security key') });
    expect((await setUp(operator)).code).toBe(0);
    expect(await readSecrets(operator)).toMatchObject({
      APP_ANALYSER_SECURITY_KEY: 'the key that was kept',
    });
  });
});

test('of two set-ups at once one makes the keys, and keeps their key; the other leaves both alone', async () => {
  const operator = newOperator();
  await createAccountPod(await createAccount(server.baseUrl, operator), operator.name);
  const ended = await Promise.all([setUp(operator), setUp(operator)]);
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 2]);
  expect(ended.find(({ code }) => code === 2)).toMatchObject({
    err: expect.stringMatching(/^Another set-up has written \S+\.env meanwhile: /),
  });
  const check = await runMode(['check', '--config', fileOf(operator)], { cwd });
  expect(check.out).toMatch(/^Unlock +ok/m);
});

test('a Pod that has keys already needs its own key', async () => {
  const operator = newOperator();
  const account = await createAccount(server.baseUrl, operator);
  const { webId } = await createAccountPod(account, operator.name);
  const credentials = await issueClientCredentials(account, { name: 'test', webId });
  const securityKey = 'chosen with the app';
  await (await initialiseOwnPod({ webId, securityKey, credentials })).close();
  expect(await setUp(operator)).toMatchObject({
    code: 3,
    err: expect.stringContaining('security key does not match'),
  });
  await rm(secretsOf(operator));
  const env = { APP_ANALYSER_SECURITY_KEY: securityKey };
  expect(await setUp(operator, { env })).toMatchObject({ code: 0 });
});

test.each([
  ['eleven char', 'The security key is shorter than 12 characters.'],
  ["a key with a ' in it", 'APP_ANALYSER_SECURITY_KEY has a quote or a line break in it'],
])('the security key %s is refused before anything is created', async (key, reason) => {
  const operator = newOperator();
  const { code, err } = await setUp(operator, { env: { APP_ANALYSER_SECURITY_KEY: key } });
  expect(code).toBe(2);
  expect(err).toContain(reason);
  expect(err).not.toContain(key);
  await expect(logInToAccount(server.baseUrl, operator)).rejects.toThrow();
  await expect(stat(secretsOf(operator))).rejects.toThrow('ENOENT');
});

test('where the secrets cannot be kept, no credentials are issued', async () => {
  const operator = newOperator();
  await mkdir(secretsOf(operator));
  expect(await setUp(operator)).toMatchObject({ code: 2 });
  await rm(secretsOf(operator), { recursive: true });
  await expect(logInToAccount(server.baseUrl, operator)).rejects.toThrow();
});

test('with a wrong password nothing is left behind', async () => {
  const operator = newOperator();
  await createAccount(server.baseUrl, operator);
  expect(await setUp({ ...operator, password: 'wrong' })).toMatchObject({
    code: 4,
    err: expect.stringContaining('is the password right?'),
  });
  await expect(stat(secretsOf(operator))).rejects.toThrow('ENOENT');
});

test('a server without the account interface: what to do by hand', async () => {
  const plain = createServer((_request, response) => response.writeHead(404).end());
  const flags = ['--server', `http://127.0.0.1:${await listen(plain)}`, '--email', 'a@b.example'];
  const env = { APP_SETUP_PASSWORD: 'x' };
  const { code, err } = await runMode(['setup', ...flags], { cwd, env });
  plain.close();
  expect(code).toBe(4);
  expect(err).toMatch(/offers no account interface .* with the means of that server\.$/);
});

test('what is missing is named, since nobody can be asked', async () => {
  const missing = async (...args: string[]) => (await runMode(['setup', ...args], { cwd })).err;
  expect(await missing()).toBe('--server is needed; see setup --help.');
  const server = ['--server', 'https://pods.example'];
  expect(await missing(...server)).toBe('--email is needed; see setup --help.');
  const email = ['--email', 'a@b.example'];
  expect(await missing(...server, ...email)).toBe(
    'APP_SETUP_PASSWORD is needed; see setup --help.',
  );
  expect(await missing('--server', 'pods')).toMatch(
    /^--server: expected the http or https address/,
  );
});
