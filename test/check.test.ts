import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../src/cli/run-command-line.js';
import { everyoneRule, ownerRule, writeAcl } from '../src/pod/documents/access-control-list.js';
import { shareResources } from '../src/pod/sharing/share.js';
import { putDocument } from '../src/solid/documents/write-document.js';
import { writeConfigFile } from './support/config-file.js';
import { createContributor, plantKey, weekly } from './support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from './support/initialised-pod.js';
import { sharedSolidServer } from './support/solid-server.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bp-check-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function check(
  analyser: InitialisedPod,
  sections: object = {},
  { flags = [], isTerminal = false }: { flags?: string[]; isTerminal?: boolean } = {},
) {
  await writeConfigFile(folder, analyser, {
    output: { render_charts: false },
    grpc: { host: '127.0.0.1' },
    ...sections,
  });
  const [lines, errors]: [string[], string[]] = [[], []];
  const code = await runCommandLine(['check', ...flags], {
    env: {},
    cwd: folder,
    isTerminal,
    print: (text) => lines.push(text),
    printError: (text) => errors.push(text),
  });
  const start = lines.findIndex((line) => line.startsWith('Findings'));
  return { code, lines, errors, findings: lines.slice(start).join('\n') };
}

test('a Pod that is as it should be has no findings, and nothing is written below var/', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  expect(await check(analyser)).toMatchObject({
    code: 0,
    errors: [],
    findings: 'Findings              none',
  });
  expect(readdirSync(folder)).toEqual(['config.yaml']);
  await analyser.close();
});

test('closed documents, a certificate that ends and a folder that cannot be are found', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const { client, pod } = analyser;
  const { publicKey, sharedFolder } = pod.documents;
  const closed = writeAcl(publicKey, [ownerRule(publicKey, pod.webId)]);
  const readOnly = [ownerRule(sharedFolder, pod.webId), everyoneRule(sharedFolder, ['read'])];
  await putDocument(client, `${publicKey}.acl`, closed);
  await putDocument(client, `${sharedFolder}.acl`, writeAcl(sharedFolder, readOnly));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=localhost',
      '-days',
      '3',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  );
  chmodSync(key, 0o644);
  writeFileSync(join(folder, 'file'), '');
  const { code, findings, errors } = await check(analyser, {
    grpc: { host: '127.0.0.1', tls_cert_file: cert, tls_key_file: key },
    output: { render_charts: false, results_dir: 'file/results' },
  });
  expect(code).toBe(1);
  expect(findings).toMatch(/^Findings {14}4\n/);
  expect(findings).toContain(`${publicKey} is not publicly readable (HTTP 401 instead of 200)`);
  expect(findings).toContain(`${sharedFolder} is not publicly writable`);
  expect(findings).toMatch(/cert\.pem expires in 2 days/);
  expect(errors).toEqual([expect.stringMatching(/^Warning: .*key\.pem.*chmod 600/)]);
  expect(findings).toMatch(/output\.results_dir .* cannot be a folder: .*file is a file/);
  await analyser.close();
});

test('what will matter, but stops nothing today, ends with 0', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const stranger = await createInitialisedPod(sharedSolidServer());
  const url = 'https://elsewhere.example/anna/app/data/blood_pressure/bp_1.json.enc.ttl';
  await plantKey(stranger, analyser, url, randomBytes(32));
  const { code, findings, lines } = await check(analyser);
  expect(code).toBe(0);
  expect(findings).toBe(
    'Findings              1\n  1 shared resource is on https://elsewhere.example, where nothing is read: add it to data.allowed_origins if its Pods are to take part.',
  );
  expect(lines).toContain('Contributing Pods     0');
  expect(lines.join('\n')).toMatch(/^Warnings +1\n.*elsewhere.*left out, because/m);
  await Promise.all([analyser.close(), stranger.close()]);
});

test('a contributor is named as their own app spells their WebID', async () => {
  const server = sharedSolidServer();
  const analyser = await createInitialisedPod(server);
  const stranger = await createInitialisedPod(server);
  const root = `${server.baseUrl}anna%40home/`;
  await plantKey(stranger, analyser, `${root}app/data/blood_pressure/bp_1.json.enc.ttl`);
  const { lines } = await check(analyser);
  expect(lines.join('\n')).toContain(`${root}profile/card#me  1 file`);
  await Promise.all([analyser.close(), stranger.close()]);
});

test('shares of files and of folders, all of them where no terminal cuts the list, and as JSON', async () => {
  const server = sharedSolidServer();
  const analyser = await createInitialisedPod(server);
  const readings = weekly(
    ...Array.from({ length: 23 }, (): [number, number, number] => [120, 80, 60]),
  );
  const owner = await createContributor(server, analyser, readings);
  const data = `${owner.pod.documents.app}data/blood_pressure/`;
  const recipientWebId = analyser.pod.webId;
  await shareResources(owner.client, owner.pod, { urls: [data], recipientWebId });
  const shared = [`  folder  read  ${data}`, ...owner.urls.map((url) => `  file    read  ${url}`)];

  const piped = await check(analyser);
  expect(piped.lines.filter((line) => line.startsWith('  f')).sort()).toEqual(shared.sort());
  expect(piped.lines).toContain('Shared resources      24');
  expect(piped.lines).toContain(`  ${owner.pod.webId}  23 files`);
  const shown = await check(analyser, {}, { isTerminal: true });
  expect(shown.lines.filter((line) => line.startsWith('  f'))).toHaveLength(20);
  expect(shown.lines).toContain('  … and 4 more (--verbose)');
  const whole = await check(analyser, {}, { isTerminal: true, flags: ['--verbose'] });
  expect(whole.lines.filter((line) => line.startsWith('  f'))).toHaveLength(24);

  const { code, lines } = await check(analyser, {}, { flags: ['--json'] });
  const json: unknown = JSON.parse(lines.join('\n'));
  expect(json).toMatchObject({
    web_id: analyser.pod.webId,
    login: 'ok',
    unlock: 'ok (key derivation version 2)',
    contributing_pods: [{ web_id: owner.pod.webId, files: 23 }],
    findings: [],
  });
  expect(json).toHaveProperty('shared_resources.length', 24);
  expect(json).toHaveProperty(
    'shared_resources',
    expect.arrayContaining([{ kind: 'folder', modes: ['read'], url: data }]),
  );
  expect(code).toBe(0);
  await Promise.all([analyser.close(), owner.close()]);
});

test('a Pod of the old key derivation is opened, and charts that are off are said to be', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer(), { keyVersion: 1 });
  const { code, lines } = await check(analyser);
  expect(lines).toContain('Unlock                ok (key derivation version 1)');
  expect(lines).toContain('Charts                switched off (output.render_charts)');
  expect(code).toBe(0);
  await analyser.close();
});

test('a login or an unlock that fails is a finding, and ends with 4 or 3', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const { account } = analyser;
  const revoked = { ...analyser, account: { ...account, clientSecret: 'none' } };
  const refused = await check(revoked);
  expect(refused).toMatchObject({ code: 4, errors: [expect.stringContaining('login failed')] });
  expect(refused.lines).toContain('Login                 failed');
  expect(refused.findings).toMatch(/^Findings {14}1\n {2}login failed: HTTP 401/);

  const wrong = await check({ ...analyser, securityKey: 'not the one' });
  expect(wrong).toMatchObject({ code: 3, errors: [expect.stringContaining('does not match')] });
  expect(wrong.findings).toMatch(/^Findings {14}1\n {2}the configured security key does not/);

  const asJson = await check(revoked, {}, { flags: ['--json'] });
  expect(JSON.parse(asJson.lines.join('\n'))).toMatchObject({
    login: 'failed',
    findings: [{ stops_analyses: true, message: expect.stringContaining('login failed') }],
  });
  expect(asJson.code).toBe(4);
  await analyser.close();
});

test('a port that is open to everybody is said to be, and a token or this machine alone is enough', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const open = await check(analyser, { grpc: { port: 50052 } });
  expect(open.findings).toMatch(/^Findings {14}1\n {2}Whoever reaches 0\.0\.0\.0:50052 can ask/);
  expect(open.code).toBe(0);
  const guarded = await check(analyser, { grpc: { token: 'a-token' } });
  expect(guarded.findings).toBe('Findings              none');
  await analyser.close();
});

test('a key that is not that of the certificate stops the service', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(cert, 'no certificate');
  writeFileSync(key, 'no key', { mode: 0o600 });
  const { code, findings } = await check(analyser, {
    grpc: { host: '127.0.0.1', tls_cert_file: cert, tls_key_file: key },
  });
  expect(code).toBe(1);
  expect(findings).toContain(`grpc.tls_cert_file ${cert} is no PEM certificate: replace it.`);
  await analyser.close();
});

test('credentials of another WebID are named before the mode ends with 4', async () => {
  const server = sharedSolidServer();
  const analyser = await createInitialisedPod(server);
  const other = await createInitialisedPod(server);
  const { code, findings } = await check({
    ...analyser,
    account: { ...other.account, webId: analyser.account.webId },
  });
  expect(code).toBe(4);
  expect(findings).toContain(
    `The client credentials are bound to ${other.account.webId}, not to analyser.web_id ${analyser.account.webId}`,
  );
  await Promise.all([analyser.close(), other.close()]);
});
