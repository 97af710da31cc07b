import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { setUpAnalyser } from '../../src/cli/setup/set-up-analyser.js';
import { podDocuments } from '../../src/pod/addresses.js';
import { createAccount, createAccountPod, logInToAccount } from '../../src/solid/css-account.js';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import { runMode } from '../support/command-line.js';
import { createPod, sharedSolidServer, uniquePodName } from '../support/solid-server.js';

const server = sharedSolidServer();
let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'bp-setup-'));
});
afterAll(() => rm(cwd, { recursive: true }));

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

const secret = z.string().nullable();
const configShape = z.object({
  analyser: z.object({
    web_id: z.string(),
    security_key: secret,
    credentials: z.object({ client_id: secret, client_secret: secret }),
  }),
  grpc: z.object({ token: secret }),
});
async function readConfig(operator: Operator) {
  return configShape.parse(parse(await readFile(fileOf(operator), 'utf8')));
}

describe('setup', () => {
  const operator = newOperator();
  beforeAll(async () => {
    await setUp(operator);
  });
  const webId = `${server.baseUrl}${operator.name}/profile/card#me`;

  test('on an empty server makes everything and shows the security key once', async () => {
    const operator = newOperator();
    const webId = `${server.baseUrl}${operator.name}/profile/card#me`;
    const { code, out, err } = await setUp(operator);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`account        created for ${operator.email}`);
    expect(out).toContain(`Pod            created: ${webId}`);
    expect(out).toContain(`credentials    issued, bound to ${webId}`);
    expect(out).toContain('keys           the Pod was initialised');
    const { analyser, grpc } = await readConfig(operator);
    expect(analyser.web_id).toBe(webId);
    expect(out.split(analyser.security_key ?? '')).toHaveLength(2);
    expect(out.split(grpc.token ?? '')).toHaveLength(2);
    expect(out).toMatch(/^Findings +1\n {2}grpc\.token crosses the network in the clear/m);
    // What check prints, which logs in and unlocks with what was written.
    expect(out).toMatch(/^Unlock +ok/m);
    expect(out).toMatch(
      new RegExp(`\\nStart the service: \\S+ grpc --config ${join(cwd, operator.name)}\\.yaml$`),
    );
    expect((await stat(fileOf(operator))).mode & 0o777).toBe(0o600);
  });

  test('writes the example with its comments, and only the filled in lines differ', async () => {
    const [example, written] = await Promise.all(
      ['config.example.yaml', fileOf(operator)].map((path) => readFile(path, 'utf8')),
    );
    const lines = new Set(example?.split('\n'));
    const changed = written?.split('\n').filter((line) => !lines.has(line));
    expect(changed?.map((line) => line.trim().split(':')[0])).toEqual([
      'web_id',
      'security_key',
      'client_id',
      'client_secret',
      'token',
    ]);
  });

  test('again finds everything as it should be and changes nothing', async () => {
    const before = await readFile(fileOf(operator), 'utf8');
    const { code, out } = await setUp(operator);
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 5)).toEqual([
      `account        logged in as ${operator.email}`,
      `Pod            found: ${webId}`,
      'credentials    those of the configuration work',
      `configuration  ${fileOf(operator)} is as it should be`,
      'keys           found, and the security key opens them',
    ]);
    expect(await readFile(fileOf(operator), 'utf8')).toBe(before);
  });

  test('replaces credentials that were revoked and keeps the security key', async () => {
    const before = await readConfig(operator);
    const text = await readFile(fileOf(operator), 'utf8');
    await writeFile(
      fileOf(operator),
      text.replace(before.analyser.credentials.client_secret ?? '', 'x'),
    );
    const { code, out } = await setUp(operator);
    expect(code).toBe(0);
    expect(out).toContain('credentials    those of the configuration no longer work');
    const { analyser } = await readConfig(operator);
    expect(analyser.security_key).toBe(before.analyser.security_key);
    expect(analyser.credentials).not.toEqual(before.analyser.credentials);
  });

  test('with a wrong security key or password changes nothing', async () => {
    const before = await readFile(fileOf(operator), 'utf8');
    const wrongKey = { APP_ANALYSER_SECURITY_KEY: 'wrong' };
    expect(await setUp(operator, { env: wrongKey })).toMatchObject({
      code: 2,
      err: expect.stringContaining('it holds another security key'),
    });
    expect(await setUp(operator, { env: wrongKey, flags: ['--replace'] })).toMatchObject({
      code: 3,
      err: expect.stringContaining('security key does not match'),
    });
    expect(await setUp({ ...operator, password: 'wrong' })).toMatchObject({
      code: 4,
      err: expect.stringContaining('is the password right?'),
    });
    expect(await readFile(fileOf(operator), 'utf8')).toBe(before);
  });

  test('does not touch a configuration that is for another Analyser', async () => {
    const other = newOperator();
    const flags = ['--config', fileOf(operator)];
    expect(await setUp(other, { flags })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(`analyser.web_id is ${webId}, not `),
    });
    // Noticed before anything was created.
    await expect(logInToAccount(server.baseUrl, other)).rejects.toThrow();
    expect((await readConfig(operator)).analyser.web_id).toBe(webId);
  });
});

test('a set-up that broke off after the account goes on from there', async () => {
  const operator = newOperator();
  await createAccount(server.baseUrl, operator);
  const { code, out } = await setUp(operator, {
    env: { APP_ANALYSER_SECURITY_KEY: 'given to setup' },
  });
  expect(code).toBe(0);
  expect(out).toContain(`account        logged in as ${operator.email}`);
  expect(out).toMatch(/^Pod {12}created/m);
  expect(out).not.toContain('The security key of the Analyser Pod, shown this once');
});

test('a Pod that was initialised half is completed, and a lost key cannot be made up', async () => {
  const name = uniquePodName('analyser');
  const pod = await createPod(server, name);
  const operator = { name, email: pod.email, password: pod.password };
  const env = { APP_ANALYSER_SECURITY_KEY: 'given to setup' };
  expect(await setUp(operator, { env })).toMatchObject({ code: 0 });
  const client = createSolidClient({ serverUrl: server.baseUrl, credentials: pod });
  const { publicKey } = podDocuments(pod.root, 'app');
  await client.request(publicKey, { method: 'DELETE' });
  const completed = await setUp(operator, { env });
  expect(completed.out).toContain(
    'keys           found, and what was missing beside them was added',
  );
  expect((await client.request(publicKey)).status).toBe(200);
  await client.close();
  await rm(fileOf(operator));
  expect(await setUp(operator)).toMatchObject({
    code: 3,
    err: expect.stringContaining('is initialised already: give the security key'),
  });
});

test('two set-ups at once never leave a configuration whose key does not open the Pod', async () => {
  const operator = newOperator();
  // The Pod is there, so that what they meet over is its keys.
  await createAccountPod(await createAccount(server.baseUrl, operator), operator.name);
  const [one, two] = [{ ...operator }, { ...operator }];
  const files = [`${operator.name}-1.yaml`, `${operator.name}-2.yaml`];
  const runs = await Promise.all(
    [one, two].map((each, index) => setUp(each, { flags: ['--config', files[index] ?? ''] })),
  );
  const codes = runs.map(({ code }) => code);
  expect(codes).toContain(0);
  for (const [index, { code }] of runs.entries()) {
    const config = files[index] ?? '';
    const check = await runMode(['check', '--config', config], { cwd });
    // The one that came second says so, and leaves no configuration.
    expect(check.code).toBe(code === 0 ? 0 : 2);
  }

  const same = newOperator();
  const both = await Promise.all([setUp(same), setUp(same)]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 2]);
  expect(both.map(({ err }) => err).join('')).toContain('Another set-up works on');
  expect((await runMode(['check', '--config', `${same.name}.yaml`], { cwd })).code).toBe(0);
});

test.each([
  ['short', 'is shorter than 10 characters'],
  ['aaaaaaaabbbb', 'consists of fewer than 5 different characters'],
  ['PASSWORD', 'is the password of the account'],
])('the weak security key %s is refused with the reason', async (key, reason) => {
  const operator = newOperator();
  const securityKey = key === 'PASSWORD' ? operator.password : key;
  const { code, err } = await setUp(operator, { env: { APP_ANALYSER_SECURITY_KEY: securityKey } });
  expect(code).toBe(2);
  expect(err).toContain(`The security key ${reason}`);
  expect(err).not.toContain(operator.password);
  await expect(logInToAccount(server.baseUrl, operator)).rejects.toThrow();
  await expect(readFile(fileOf(operator), 'utf8')).rejects.toThrow('ENOENT');
});

test('a weak security key that is typed is refused before anything is created', async () => {
  const { name, email, password } = newOperator();
  const asked: boolean[] = [];
  const options = {
    ...{ serverUrl: server.baseUrl, email, password, podName: name, appDir: 'app' },
    places: { config: join(cwd, `${name}.yaml`), env: null },
    securityKey: null,
    askSecurityKey: (isNewPod: boolean) => {
      asked.push(isNewPod);
      return Promise.resolve('short');
    },
    ...{ grpcToken: null, makesToken: true, replace: false },
    confirmNewAccount: () => Promise.resolve(),
  };
  const silent = () => undefined;
  const report = { say: silent, showNewKey: silent, showNewToken: silent };
  await expect(setUpAnalyser(options, report, new AbortController().signal)).rejects.toThrow(
    'is shorter than 10 characters',
  );
  expect(asked).toEqual([true]);
  await expect(logInToAccount(server.baseUrl, { email, password })).rejects.toThrow();
});

test('without a token only when that is asked for, and check says what it means', async () => {
  const operator = newOperator();
  const { code, out } = await setUp(operator, { flags: ['--no-token'] });
  expect(code).toBe(0);
  expect((await readConfig(operator)).grpc.token).toBeNull();
  expect(out).toContain('Anybody who can reach 0.0.0.0:50051 can ask for analyses');
});

test('secrets can be kept in a file of their own', async () => {
  const operator = newOperator();
  const flags = ['--secrets-file', `${operator.name}.env`];
  expect(await setUp(operator, { flags })).toMatchObject({ code: 0, err: '' });
  const { analyser } = await readConfig(operator);
  expect([analyser.security_key, analyser.credentials.client_id]).toEqual([null, null]);
  const path = join(cwd, `${operator.name}.env`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).toMatch(
    /^APP_ANALYSER_SECURITY_KEY='.+'\nAPP_ANALYSER_CLIENT_ID='.+'\nAPP_ANALYSER_CLIENT_SECRET='.+'\nAPP_ANALYSER_GRPC_TOKEN='.+'\n$/,
  );
  const { out } = await setUp(operator, { flags });
  expect(out).toContain('is as it should be');

  const others = '# APP_ANALYSER_GRPC_TOKEN=an older one\nOLD_APP_ANALYSER_GRPC_TOKEN=abc\n';
  const written = await readFile(path, 'utf8');
  await writeFile(path, others + written.replace(/^APP_ANALYSER_CLIENT_SECRET=.*\n/m, ''));
  expect((await setUp(operator, { flags })).code).toBe(0);
  const mended = await readFile(path, 'utf8');
  expect(mended.startsWith(others)).toBe(true);
  expect(mended.match(/^APP_ANALYSER_/gm)).toHaveLength(4);
});

test('a server without the account interface: what to do by hand', async () => {
  const plain = createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const address = plain.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const args = ['setup', '--server', `http://127.0.0.1:${port}`, '--email', 'a@b.example'];
  const { code, err } = await runMode(args, { cwd, env: { APP_SETUP_PASSWORD: 'x' } });
  plain.close();
  expect(code).toBe(4);
  expect(err).toMatch(/has to be done by hand:\n {2}1\. .*\n {2}2\. .*\n {2}3\. .*\n {2}4\. /);
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
