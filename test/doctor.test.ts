import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../src/cli/run-command-line.js';
import { everyoneRule, ownerRule, writeAcl } from '../src/pod/documents/access-control-list.js';
import { putDocument } from '../src/solid/write-document.js';
import { writeConfigFile } from './support/config-file.js';
import { createInitialisedPod, type InitialisedPod } from './support/initialised-pod.js';
import { sharedSolidServer } from './support/solid-server.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bp-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function check(analyser: InitialisedPod, sections: object = {}) {
  await writeConfigFile(folder, analyser, { output: { render_charts: false }, ...sections });
  const lines: string[] = [];
  const code = await runCommandLine(['check'], {
    env: {},
    cwd: folder,
    print: (text) => lines.push(text),
    printError: () => undefined,
  });
  const start = lines.findIndex((line) => line.startsWith('Findings'));
  return { code, findings: lines.slice(start).join('\n') };
}

test('a Pod that is as it should be has no findings, and nothing is written below var/', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  expect(await check(analyser)).toEqual({ code: 0, findings: 'Findings              none' });
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
  const { code, findings } = await check(analyser, {
    grpc: { tls_cert_file: cert, tls_key_file: key },
    output: { render_charts: false, results_dir: 'file/results' },
  });
  expect(code).toBe(0);
  expect(findings).toMatch(/^Findings {14}5\n/);
  expect(findings).toContain(`${publicKey} is not publicly readable (HTTP 401 instead of 200)`);
  expect(findings).toContain(`${sharedFolder} is not publicly writable`);
  expect(findings).toMatch(/cert\.pem expires in 2 days/);
  expect(findings).toMatch(/Every account can read grpc\.tls_key_file .*chmod 640/);
  expect(findings).toMatch(/output\.results_dir .* cannot be a folder: .*file is a file/);
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
