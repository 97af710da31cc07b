import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyoneRule, ownerRule, writeAcl } from '../src/pod/access-control.js';
import { revokeShares } from '../src/pod/sharing/share.js';
import { putDocument } from '../src/solid/documents.js';
import { prepareCheckTests } from './support/check-tests.js';
import { createContributor, shareFolder, weekly } from './support/contributor.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { operate } from './support/operator.js';
import { sharedSolidServer } from './support/solid-server.js';
import { noCharts, startTestRuns } from './support/test-runs.js';

const run = prepareCheckTests();

test('closed documents, a certificate that ends and a key that is none are found', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const { client, pod } = analyser;
  const { publicKey, sharedFolder } = pod.documents;
  const closed = writeAcl(publicKey, [ownerRule(publicKey, pod.webId)]);
  const readOnly = [ownerRule(sharedFolder, pod.webId), everyoneRule(sharedFolder, ['read'])];
  await putDocument(client, `${publicKey}.acl`, closed);
  await putDocument(client, `${sharedFolder}.acl`, writeAcl(sharedFolder, readOnly));
  const [cert, key] = [join(run.folder, 'cert.pem'), join(run.folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '3', '-keyout', key, '-out', cert];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject];
  execFileSync('openssl', request, { stdio: 'ignore' });
  chmodSync(key, 0o644);
  const ofTls = { grpc: { host: '127.0.0.1', tls_cert_file: cert, tls_key_file: key } };
  const { code, findings, errors } = await run.check(analyser, ofTls);
  expect({ code, errors }).toEqual({ code: 1, errors: [] });
  expect(findings).toMatch(/^Findings {14}4\n/);
  expect(findings).toContain(`${publicKey} is not publicly readable`);
  expect(findings).toContain(`${sharedFolder} is not publicly writable`);
  expect(findings).toMatch(/^ {2}Warning: .*cert\.pem ends on /m);
  expect(findings).toMatch(/^ {2}Warning: .*key\.pem.*chmod 600/m);
  writeFileSync(key, 'no key', { mode: 0o600 });
  expect((await run.check(analyser, ofTls)).findings).toContain(
    `grpc.tls_cert_file ${cert} and grpc.tls_key_file ${key} are not a PEM certificate and its key.`,
  );
});

test('contributing is who shares; who took back everything, or whose entries are gone, is only remembered; excluded is neither', async () => {
  const server = sharedSolidServer();
  const analyser = await createInitialisedPod(server);
  const [anna, ben] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60])),
    createContributor(server, analyser, weekly([130, 85, 65], [131, 86, 66])),
  ]);
  const folder = await shareFolder(anna, analyser, weekly([120, 80, 60], [121, 81, 61]));
  // No reading, so no analysis asks for it.
  await putDocument(anna.client, `${folder}export.csv`, 'systolic', { contentType: 'text/csv' });
  const runs = await startTestRuns(server, analyser);
  await runs.run({ caller: anna.pod.webId });
  const [ofAnna, ofBen] = [anna, ben].map(({ pod }) => `  ${pod.webId}  2 files`);
  const seen = async (data = {}) => {
    const { lines } = await run.check(analyser, { data });
    const from = lines.findIndex((line) => line.startsWith('Contributing'));
    const to = lines.findIndex((line) => line.startsWith('Configuration'));
    return [lines[0], ...lines.slice(from, to), lines.at(-1)];
  };
  const remembered =
    'Only remembered       not shared any more; what the Analyser may still read counts';

  await revokeShares(ben.client, ben.pod, { urls: ben.urls, recipientWebId: analyser.pod.webId });
  expect(await seen()).toEqual([
    ...['Shared resources      2', 'Contributing Pods     1', ofAnna],
    ...[remembered, ofBen, 'Ready, 1 Pod, 2 files, 0 findings'],
  ]);
  const excluded = { excluded_pods: [anna.pod.webId] };
  expect(await seen(excluded)).toEqual([
    ...['Shared resources      2', 'Contributing Pods     0'],
    ...[remembered, ofBen, 'Ready, 0 Pods, 0 files, 0 findings'],
  ]);
  const misspelt = `${anna.pod.root.slice(0, -1)}x/`;
  const both = await run.check(analyser, { data: { excluded_pods: [anna.pod.webId, misspelt] } });
  expect(both.lines).toContain(`  folder  read  ${folder}  (left out: data.excluded_pods)`);
  expect(both.lines.filter((line) => line.startsWith('Nothing shared from'))).toEqual([
    `Nothing shared from   ${misspelt} (data.excluded_pods)`,
  ]);
  // Anybody can do this.
  await putDocument(ben.client, analyser.pod.documents.sharedKeys, '<a> <b> "c" .');
  expect(await seen()).toEqual([
    ...['Shared resources      0', 'Contributing Pods     0', remembered],
    ...[ofAnna, ofBen].sort(),
    'Ready, 0 Pods, 0 files, 0 findings',
  ]);
});

test('figures that the last analysis withheld are told by check and by release, as by the run', async () => {
  const server = sharedSolidServer();
  const analyser = await createInitialisedPod(server);
  const [anna, ben] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60])),
    createContributor(server, analyser, weekly([130, 85, 65])),
  ]);
  const first = await startTestRuns(server, analyser, noCharts);
  await first.run({ caller: anna.pod.webId });
  const [url = ''] = ben.urls;
  await putDocument(ben.client, url, '<a> <b> "no reading".');
  const { output } = first.config;
  const later = await startTestRuns(server, analyser, {
    output,
    analysis: { window_days: 36_500 },
  });
  const { document } = await later.run({ caller: anna.pod.webId });
  const why = '1 Pod could not be read in full since the rules of the analysis changed';
  expect(document.warnings).toContain(`Cohort figures are withheld: ${why}.`);
  const [check, release] = [
    await operate(later, analyser, 'check'),
    await operate(later, analyser, 'release'),
  ];
  expect(check.out).toContain(`  Warning: Cohort figures are withheld: ${why}.\n`);
  expect(release.out).toContain(`Cohort figures are withheld: ${why}.`);
});

test('a server that is not there is one finding, with the key and what to do', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const account = { ...analyser.account, webId: 'http://127.0.0.1:9/anna/profile/card#me' };
  const { code, findings, lines } = await run.check({ ...analyser, account });
  expect(code).toBe(4);
  expect(findings).toMatch(
    /^Findings {14}1\n {2}http:\/\/127\.0\.0\.1:9\/\S+ could not be reached: .*correct analyser\.server_url/,
  );
  expect(lines).toContain('Shared resources      unknown');
});
