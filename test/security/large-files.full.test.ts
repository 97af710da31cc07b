import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { shareResources } from '../../src/pod/sharing/share.js';
import { writeEncryptedResources } from '../../src/pod/write-resource.js';
import { startService } from '../grpc/child-service.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, readingsFolder, sharePlain, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';
import { startTestRuns } from '../support/test-runs.js';
import { createAttacker } from './attacker.js';

const server = sharedSolidServer();
const LARGE_BYTES = 4_000_000;
const MOST_RESIDENT_KB = 450 * 1024;

const readings = `[${'{"systolic":120,"diastolic":80},'.repeat(99_999)}0]`;
const contents = [
  readings,
  `[${'[],'.repeat(1_300_000)}0]`,
  '['.repeat(LARGE_BYTES / 2) + ']'.repeat(LARGE_BYTES / 2),
];

test('the largest files of many contributors neither end the process nor fill its memory', async () => {
  const analyser = await createInitialisedPod(server);
  const alice = await createContributor(server, analyser, weekly([120, 80, 60]));
  const encrypted = await createInitialisedPod(server);
  const plain: InitialisedPod[] = [];
  for (const content of contents) {
    const owner = await createInitialisedPod(server);
    const contentType = 'application/json';
    await sharePlain(owner, analyser, { name: 'all.json.enc.ttl', content, contentType });
    plain.push(owner);
  }
  const url = `${encrypted.pod.documents.app}data/blood_pressure/all.json.enc.ttl`;
  await writeEncryptedResources(encrypted.client, encrypted.pod, [{ url, content: readings }]);
  const recipientWebId = analyser.pod.webId;
  await shareResources(encrypted.client, encrypted.pod, { urls: [url], recipientWebId });

  const folder = await newFolder();
  await writeConfigFile(folder, analyser, { grpc: { host: '127.0.0.1', port: 0 } });
  await using service = await startService(folder);
  for (const caller of [plain[0], alice]) {
    expect(await service.client.analyse(caller?.pod.webId ?? '')).toMatchObject({
      status: 'ANALYSE_STATUS_COMPLETED',
      // As many as are read of one file; and Alice's one.
      observation_count: caller === alice ? 1 : 99_999,
      files_skipped: 0,
    });
  }
  const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
  const resident = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
  expect(resident).toBeGreaterThan(0);
  expect(resident).toBeLessThan(MOST_RESIDENT_KB);
}, 300_000);

test('hundreds of keys for two of the largest files keep nobody’s analysis from its end', async () => {
  const analyser = await createInitialisedPod(server);
  const [alice, mallory] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60])),
    createInitialisedPod(server),
  ]);
  const folder = readingsFolder(mallory);
  const content = 'x'.repeat(LARGE_BYTES);
  const large = ['one', 'two'].map((name) => ({ url: `${folder}${name}.enc.ttl`, content }));
  await writeEncryptedResources(mallory.client, mallory.pod, large);
  const recipientWebId = analyser.pod.webId;
  await shareResources(mallory.client, mallory.pod, { urls: [folder], recipientWebId });
  const attacker = await createAttacker(mallory, analyser);
  await attacker.plant(
    Array.from({ length: 400 }, (_, index) => ({
      url: folder,
      key: randomBytes(32),
      id: `planted-${index}`,
    })),
  );
  const runs = await startTestRuns(server, analyser, {}, { timeoutSeconds: 30 });
  expect(await runs.ask(alice)).toMatchObject({
    status: 'COMPLETED',
    files_read: 1,
    files_skipped: 0,
  });
});
