import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { podIdOfRoot } from '../src/pod/owner.js';
import { writeEncryptedResources } from '../src/pod/write-resource.js';
import { runMode } from './support/command-line.js';
import { createContributor, readingText, sharePlain, weekly } from './support/contributor.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { openWithKey } from './support/open-with-key.js';
import { lineOf } from './support/pages.js';
import { sharedSolidServer } from './support/solid-server.js';
import { newFolder } from './support/temp-folder.js';

const page = 'docs/changing-over.md';

/** What that analyser knows, and this one does not. */
const { analyser: more, ...others } = {
  analyser: { request_timeout: 30 },
  data: {
    systolic_field: 'systolic',
    diastolic_field: 'diastolic',
    heart_rate_field: 'heart_rate',
    timestamp_field: 'timestamp',
    responses_field: 'responses',
    systolic_range: [40, 300],
    diastolic_range: [20, 200],
    heart_rate_range: [20, 250],
  },
  analysis: { decimal_places: 1 },
  sharing: { write_permission_log: true },
  output: { keep_runs: 50 },
  logging: { level: 'INFO', file: 'analyser.log' },
};

test('whoever follows the page reads what was shared, and the keys that people hold open the results', async () => {
  const server = sharedSolidServer();
  const cwd = await newFolder();
  const analyser = await createInitialisedPod(server, { appDir: 'healthpod', keyVersion: 1 });
  const [first, second] = weekly([120, 80, 60], [130, 84, 66]);
  if (first === undefined || second === undefined) throw new Error('There are two weeks.');
  const alice = await createContributor(server, analyser, [first]);
  const plain = { name: 'bp_2026-01-12.json', contentType: 'application/json' };
  await sharePlain(alice, analyser, { ...plain, content: readingText(second) });
  const url = `${analyser.pod.documents.app}data/analyser/${podIdOfRoot(alice.pod.root)}/bp-average.json.enc.ttl`;
  const earlier = [{ url, content: '{"kind": "pod-average"}' }];
  const held = (await writeEncryptedResources(analyser.client, analyser.pod, earlier)).get(url);
  if (held === undefined) throw new Error('The earlier result has no key.');

  const { webId, clientId, clientSecret } = analyser.account;
  const run = (mode: string) => runMode([mode], { cwd });
  const write = (config: object) =>
    writeFile(join(cwd, 'config.yaml'), stringify(config), { mode: 0o600 });
  await mkdir(join(cwd, 'old'));
  const secrets = [
    `HEALTHPOD_ANALYSER_SECURITY_KEY='${analyser.securityKey}'`,
    `HEALTHPOD_ANALYSER_CLIENT_ID='${clientId}'`,
    `HEALTHPOD_ANALYSER_CLIENT_SECRET='${clientSecret}'`,
    "HEALTHPOD_ANALYSER_GRPC_TOKEN='shared-secret'",
  ];
  await writeFile(join(cwd, 'old/.env'), secrets.join('\n'));
  execFileSync('sh', ['-c', `umask 077; ${await lineOf(page, 'sed ')}`], { cwd });

  // Each is named by the page, and refused with its line.
  await write({ ...others, analyser: { web_id: webId, ...more } });
  const refused = await run('check');
  const { logging: _, ...sections } = others;
  const keys = [more, ...Object.values(sections)].flatMap((section) => Object.keys(section));
  expect(refused.code).toBe(2);
  expect(refused.err.match(/config\.yaml:\d+: .*expected one of the keys/g)).toHaveLength(
    keys.length + 1,
  );
  for (const key of ['logging', ...keys]) expect(await lineOf(page, `\`${key}\``)).toMatch(/^\|/);

  await write({ analyser: { web_id: webId, app_dir_name: 'healthpod' } });
  const ready = await run('check');
  expect(ready.out).toMatch(/^Ready/m);
  expect(ready.out).toContain(`  ${alice.pod.webId}  2 files`);
  expect(await run('run-once')).toMatchObject({ code: 0 });
  expect(JSON.parse(await openWithKey(alice.client, url, held))).toMatchObject({
    average: { systolic: first.systolic },
    pod: { files_read: 1, files_skipped: 1 },
  });
});
