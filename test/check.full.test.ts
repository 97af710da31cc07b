import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyoneRule, ownerRule, writeAcl } from '../src/pod/documents/access-control-list.js';
import { text } from '../src/pod/documents/write-turtle.js';
import { addToLog } from '../src/pod/sharing/permissions-log.js';
import { vocabulary } from '../src/pod/vocabulary.js';
import { putDocument } from '../src/solid/documents/write-document.js';
import { prepareCheckTests } from './support/check-tests.js';
import { plantKey } from './support/contributor.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { sharedSolidServer } from './support/solid-server.js';

const run = prepareCheckTests();

test('closed documents, a certificate that ends and a folder that cannot be are found', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const { client, pod } = analyser;
  const { publicKey, sharedFolder } = pod.documents;
  const closed = writeAcl(publicKey, [ownerRule(publicKey, pod.webId)]);
  const readOnly = [ownerRule(sharedFolder, pod.webId), everyoneRule(sharedFolder, ['read'])];
  await putDocument(client, `${publicKey}.acl`, closed);
  await putDocument(client, `${sharedFolder}.acl`, writeAcl(sharedFolder, readOnly));
  const [cert, key] = [join(run.folder, 'cert.pem'), join(run.folder, 'key.pem')];
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
  writeFileSync(join(run.folder, 'file'), '');
  const { code, findings, errors } = await run.check(analyser, {
    grpc: { host: '127.0.0.1', tls_cert_file: cert, tls_key_file: key },
    output: { render_charts: false, results_dir: 'file/results' },
  });
  expect(code).toBe(1);
  expect(findings).toMatch(/^Findings {14}4\n/);
  expect(findings).toContain(`${publicKey} is not publicly readable (HTTP 401 instead of 200)`);
  expect(findings).toContain(`${sharedFolder} is not publicly writable`);
  expect(findings).toMatch(/cert\.pem expires in 2 days/);
  expect(errors).toEqual([expect.stringMatching(/^Warning: .*key\.pem.*chmod 600/)]);
  expect(findings).toMatch(/output\.results_dir .* cannot be written by this account \(ENOTDIR\)/);
  await analyser.close();
});

test('a closed public key is found beside a wrong security key', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const { client, pod } = analyser;
  const { publicKey } = pod.documents;
  const closed = writeAcl(publicKey, [ownerRule(publicKey, pod.webId)]);
  await putDocument(client, `${publicKey}.acl`, closed);
  const mistaken = { ...analyser, securityKey: 'another sentence' };
  const { code, findings } = await run.check(mistaken);
  expect(code).toBe(3);
  expect(findings).toContain('The configured security key does not match');
  expect(findings).toContain(`${publicKey} is not publicly readable (HTTP 401 instead of 200)`);
  await analyser.close();
});

test('what will matter, but stops nothing today, ends with 0', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const stranger = await createInitialisedPod(sharedSolidServer());
  const url = 'https://elsewhere.example/anna/app/data/blood_pressure/bp_1.json.enc.ttl';
  await plantKey(stranger, analyser, url, randomBytes(32));
  const { code, findings, lines } = await run.check(analyser);
  expect(code).toBe(0);
  expect(findings).toBe(
    'Findings              1\n  1 shared resource is on https://elsewhere.example, where nothing is read: add it to data.allowed_origins if its Pods are to take part.',
  );
  expect(lines).toContain('Contributing Pods     0');
  await Promise.all([analyser.close(), stranger.close()]);
});

test('a Pod of the old key derivation is opened, and charts that are off are said to be', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer(), { keyVersion: 1 });
  const { code, lines } = await run.check(analyser);
  expect(lines).toContain('Unlock                ok (key derivation version 1)');
  expect(lines).toContain('Charts                switched off (output.render_charts)');
  expect(code).toBe(0);
  await analyser.close();
});

test('a port that is open to everybody is said to be, and so is a token in the clear; this machine alone is fine', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const open = await run.check(analyser, { grpc: { port: 50052 } });
  expect(open.findings).toMatch(
    /^Findings {14}1\n {2}Anybody who can reach 0\.0\.0\.0:50052 can ask/,
  );
  expect(open.code).toBe(0);
  const clear = await run.check(analyser, { grpc: { token: 'a-token' } });
  expect(clear.findings).toMatch(
    /^Findings {14}1\n {2}grpc\.token crosses the network in the clear/,
  );
  const proof = { require_web_id_proof: true, public_url: 'https://analyser.example.org' };
  const proven = await run.check(analyser, { grpc: proof });
  expect(proven.findings).toMatch(
    /^Findings {14}1\n {2}Calls to 0\.0\.0\.0:50051 and their proofs/,
  );
  const guarded = await run.check(analyser, { grpc: { token: 'a-token', host: '127.0.0.1' } });
  expect(guarded.findings).toBe('Findings              none');
  await analyser.close();
});

test('a key that is not that of the certificate stops the service', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const [cert, key] = [join(run.folder, 'cert.pem'), join(run.folder, 'key.pem')];
  writeFileSync(cert, 'no certificate');
  writeFileSync(key, 'no key', { mode: 0o600 });
  const { code, findings } = await run.check(analyser, {
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
  const { code, findings } = await run.check({
    ...analyser,
    account: { ...other.account, webId: analyser.account.webId },
  });
  expect(code).toBe(4);
  expect(findings).toContain(
    `The client credentials are bound to ${other.account.webId}, not to analyser.web_id ${analyser.account.webId}`,
  );
  await Promise.all([analyser.close(), other.close()]);
});

test('a permission log that strangers have filled is named, with what to do', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const stranger = await createInitialisedPod(sharedSolidServer());
  const { permissionsLog } = analyser.pod.documents;
  const before = await run.check(analyser);
  expect(before.findings).not.toContain(permissionsLog);
  for (let nth = 0; nth < 3; nth += 1) {
    const insert = Array.from({ length: 4 }, (_, index) =>
      text(`${vocabulary.logId}${nth}${index}`, vocabulary.log, 'x'.repeat(100_000)),
    );
    await addToLog(stranger.client, analyser.pod, insert);
  }
  const { code, findings } = await run.check(analyser);
  expect(code).toBe(0);
  expect(findings).toContain(`${permissionsLog} is larger than 1 MB.`);
  expect(findings).toMatch(/keep a copy and remove old lines/);
  await Promise.all([analyser.close(), stranger.close()]);
});
