import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import { putDocument } from '../../src/solid/documents.js';
import { startService } from '../grpc/child-service.js';
import { analyserEnv } from '../support/app-env.js';
import { startCommand, waitForEnd } from '../support/child-process.js';
import { allowReading, createContributor, sharePlain, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';

/**
 * Every way to fail is gone with secrets that can be recognised; everything that is printed, every
 * file that is written and what other accounts can see of the processes is searched for them.
 */
const server = sharedSolidServer();
const grpcToken = 'marked-token-8c1f';
const wrongKey = 'marked-wrong-security-key-77ab';
const wrongSecret = 'marked-wrong-client-secret-51cd';
const note = 'marked-note-of-a-patient-93e0';
const reading = '187.4321';

/** What the case printed, by name. */
const printed = new Map<string, string>();

const analyser = await createInitialisedPod(server);
const alice = await createContributor(server, analyser, weekly([120, 80, 60], [130, 85, 70]));
const content = `{"timestamp": "2026-01-01", "responses": {"systolic": ${reading}, "notes": "${note}"`;
await sharePlain(alice, analyser, {
  name: 'cut.json.enc.ttl',
  content,
  contentType: 'application/json',
});
const garbled = `${alice.pod.documents.app}data/blood_pressure/garbled.json.enc.ttl`;
await putDocument(alice.client, garbled, `<> <x:notes> "${note}" ; ${reading} .`);
await allowReading(alice, analyser, garbled);
const folder = await newFolder();
const secrets = await collectSecrets();

afterEach(async () => {
  expect(printed.size).toBeGreaterThan(0);
  for (const [name, output] of printed) searchFor(name, output);
  printed.clear();
  for (const file of await writtenFiles()) {
    searchFor(file.name, await readFile(join(file.parentPath, file.name), 'latin1'));
  }
});

const good = () => ({
  ...analyserEnv(analyser),
  APP_ANALYSER_GRPC_TOKEN: grpcToken,
});

const plainConfig =
  `analyser:\n  web_id: ${analyser.pod.webId}\n  server_url: ${server.baseUrl}\n` +
  'grpc: {host: 127.0.0.1, port: 0}\napi: {enabled: false}\noutput: {render_charts: false}\n';

async function prepare(name: string, config: string): Promise<string> {
  const cwd = join(folder, name);
  await mkdir(cwd, { recursive: true });
  await writeFile(join(cwd, 'config.yaml'), config, { mode: 0o600 });
  return cwd;
}

async function run(
  name: string,
  args: string[],
  options: { env?: Record<string, string>; config?: string } = {},
): Promise<number | null> {
  const cwd = await prepare(name, options.config ?? plainConfig);
  const child = startCommand(args, { cwd, env: { ...good(), ...options.env } });
  const { code, out, err } = await waitForEnd(child);
  printed.set(name, `${out}\n${err}`);
  return code;
}

const nowhere = plainConfig.replace(server.baseUrl, 'http://127.0.0.1:9/');

describe('[T18] no secret, key or reading is in anything that is printed, written or shown by', () => {
  test.each<[string, string[], Parameters<typeof run>[2], number]>([
    ['what works', ['run-once', '--verbose'], {}, 0],
    ['a look', ['check', '--verbose'], {}, 0],
    [
      'a wrong security key',
      ['check', '--verbose'],
      { env: { APP_ANALYSER_SECURITY_KEY: wrongKey } },
      3,
    ],
    [
      'a wrong client secret',
      ['run-once', '--verbose'],
      { env: { APP_ANALYSER_CLIENT_SECRET: wrongSecret } },
      4,
    ],
    ['no server', ['analyse', alice.pod.webId], { config: nowhere }, 4],
  ])('%s', async (name, args, options, code) => {
    expect(await run(name, args, options), printed.get(name)).toBe(code);
  });

  test('a service, called rightly and wrongly', async () => {
    const cwd = await prepare('service', plainConfig);
    await using service = await startService(cwd, { env: good(), options: ['--verbose'] });
    const output = { out: '' };
    for (const stream of [service.child.stdout, service.child.stderr]) {
      stream.on('data', (chunk) => {
        output.out += String(chunk);
      });
    }
    const right = { authorization: `Bearer ${grpcToken}` };
    const reply = await service.client.analyse(alice.pod.webId, {}, {}, right);
    expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
    const wrong = { authorization: `Bearer ${wrongSecret}` };
    await expect(service.client.analyse(alice.pod.webId, {}, {}, wrong)).rejects.toThrow(
      'UNAUTHENTICATED',
    );
    printed.set('replies', JSON.stringify(reply));
    printed.set('what others see of the process', await whatOthersSee(service.child.pid ?? 0));
    service.child.kill('SIGTERM');
    await service.exit;
    printed.set('service', output.out);
    expect(output.out).toContain('An analysis ends.');
    expect((await writtenFiles()).map(({ name }) => name)).toContain('latest.json');
  });
});

async function writtenFiles() {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile() && file.name !== 'config.yaml');
}

function searchFor(name: string, haystack: string): void {
  const found = [...secrets].filter(([, secret]) => haystack.includes(secret));
  expect(found.map(([what]) => `${what} in ${name}`)).toEqual([]);
  // An access token or a proof.
  expect(haystack).not.toMatch(/eyJ[\w-]{20,}\.eyJ/);
  expect(haystack).not.toContain('PRIVATE KEY');
}

async function collectSecrets(): Promise<Map<string, string>> {
  const { pod, account, securityKey } = analyser;
  const found = new Map([
    ['security key', securityKey],
    ['client secret', account.clientSecret],
    [
      'client secret as sent',
      Buffer.from(`:${account.clientSecret}`).toString('base64').slice(4, -4),
    ],
    ['gRPC token', grpcToken],
    ['wrong security key', wrongKey],
    ['wrong client secret', wrongSecret],
    ['note', note],
    ['reading', reading],
    ['master key', pod.masterKey.toString('base64')],
    ['master key in hex', pod.masterKey.toString('hex')],
  ]);
  const der = pod.privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64');
  for (let start = 0; start + 64 <= der.length; start += 64) {
    found.set(`private key from ${start}`, der.slice(start, start + 64));
  }
  const keys = await findResourceKeys(alice.client, alice.pod, alice.urls);
  expect(keys.size).toBe(2);
  for (const [url, key] of keys) {
    found.set(`key of ${url}`, key.toString('base64'));
    found.set(`key of ${url} in hex`, key.toString('hex'));
  }
  return found;
}

/** Titles and arguments; the environment is for the account itself and root alone. */
async function whatOthersSee(pid: number): Promise<string> {
  const parts = [await readFile(`/proc/${pid}/cmdline`, 'latin1')];
  for (const task of await readdir(`/proc/${pid}/task`)) {
    parts.push(await readFile(`/proc/${pid}/task/${task}/comm`, 'latin1'));
    const children = await readFile(`/proc/${pid}/task/${task}/children`, 'latin1').catch(() => '');
    for (const child of children.split(' ').filter(Boolean)) {
      const command = await readFile(`/proc/${child}/cmdline`, 'latin1').catch(() => '');
      parts.push(command);
      parts.push(await readFile(`/proc/${child}/environ`, 'latin1').catch(() => ''));
    }
  }
  return parts.join('\n');
}
