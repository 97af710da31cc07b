import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addReadings,
  listReadings,
  readingAddress,
  readResult,
  shareReadings,
} from '../../src/client/client.js';
import { aclAddress } from '../../src/pod/documents/access-control-list.js';
import { initialisePod } from '../../src/pod/initialise-pod.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { writeEncryptedResources } from '../../src/pod/write-encrypted-resource.js';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import { plantKey, readingText, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { createOddPod } from '../support/odd-pod.js';
import { checkPodAverage, ownResultAddress } from '../support/published.js';
import { sharedSolidServer, uniquePodName } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let runs: TestRuns;
const callers: InitialisedPod[] = [];

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  runs = await startTestRuns(server, analyser, { output: { render_charts: false } });
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser, ...callers].map((one) => one.close()));
});

async function createCaller(segment: string): Promise<InitialisedPod> {
  const account = await createOddPod(server, segment, uniquePodName('odd'));
  const securityKey = 'a security key';
  const client = createSolidClient({ serverUrl: server.baseUrl, credentials: account });
  const pod = await initialisePod(client, { webId: account.webId, appDir: 'app', securityKey });
  const caller: InitialisedPod = {
    account,
    client,
    pod,
    securityKey,
    close: async () => {
      pod.dispose();
      await client.close();
    },
  };
  callers.push(caller);
  return caller;
}

/** One reading, recorded and shared through the client library. */
async function shareOne(caller: InitialisedPod): Promise<string> {
  const reading = { timestamp: '2026-01-05T08:00:00.000', systolic: 120, diastolic: 80 };
  const { added } = await addReadings(caller, [{ ...reading, heartRate: 60, notes: '' }]);
  await shareReadings(caller, analyser.pod.webId, added);
  return added[0] ?? '';
}

async function expectResult(caller: InitialisedPod): Promise<void> {
  const report = await runs.ask(caller);
  expect(report).toMatchObject({ status: 'COMPLETED', published: true, files_read: 1 });
  expect(report.result_url).toBe(ownResultAddress(analyser, caller));
  const result = checkPodAverage(await readResult(caller, { analyserWebId: analyser.pod.webId }));
  expect(result.generated_at).toBe(report.generated_at);
  expect(result.average.systolic).toBe(120);
}

describe('a Pod gets its result, again and again, under the WebID of', () => {
  test.each([
    // Every character that stands for itself in a path, but for those of common names.
    "at@plus+comma,semi;dollar$bang!quote'open(close)star*and&is=tilde~colon:end",
    'at%40plus%2Bcomma%2Csemi%3Bdollar%24and%26is%3Dcolon%3A-end',
    'at%40x@y',
    'sp%20ace-%C3%BC',
    'lower%c3%bcand%2bplus',
    'plain%2Dletter%61s',
    'raw-ü',
  ])('%s', async (segment) => {
    const name = `${segment}-${uniquePodName()}`;
    const caller = await createCaller(name);
    expect(caller.pod.webId).toBe(`${server.baseUrl}${name}/profile/card#me`);
    await shareOne(caller);
    await expectResult(caller);
    await expectResult(caller);
    expect(ownResultAddress(analyser, caller)).toContain(
      `/app/data/analyser/${new URL(server.baseUrl).host}-${name}/bp-average`,
    );
  });
});

// With a colon or an asterisk in the name, the server itself lists addresses that do not exist.
test('a shared folder of a Pod with such a name is listed', async () => {
  const caller = await createCaller(`f%40lder,+-${uniquePodName()}`);
  const { client, pod } = caller;
  const [reading] = weekly([120, 80, 60]);
  if (reading === undefined) throw new Error('no reading');
  const folder = `${pod.documents.app}data/blood_pressure/`;
  const url = readingAddress(caller, reading.timestamp);
  const content = { url, content: readingText(reading), inheritFrom: folder };
  await writeEncryptedResources(client, pod, [content]);
  await shareResources(client, pod, { urls: [folder], recipientWebId: analyser.pod.webId });
  await expectResult(caller);
});

describe('an owner named y%40x', () => {
  let owner: InitialisedPod;
  let shared: string;
  beforeAll(async () => {
    owner = await createCaller(`y%40x-${uniquePodName()}`);
    shared = await shareOne(owner);
    expect(await listReadings(owner)).toEqual([shared]);
  });
  const plainly = (text: string) => text.replace('%40', '@');

  test('gets the result under either spelling, and keeps what came under the other', async () => {
    await expectResult(owner);
    const webId = plainly(owner.pod.webId);
    const { report } = await runs.run({ caller: webId });
    expect(report).toMatchObject({ status: 'COMPLETED', published: true, files_read: 1 });
    expect(report.result_url).toBe(plainly(ownResultAddress(analyser, owner)));
    const earlier = await readResult(owner, { analyserWebId: analyser.pod.webId });
    expect(checkPodAverage(earlier).average.systolic).toBe(120);
  });

  test('is one Pod, with one name, whatever others put into the inbox', async () => {
    const stranger = await createInitialisedPod(server);
    callers.push(stranger);
    for (const spelling of ['@x', '%40x', '@%78']) {
      const url = shared.replace('y%40x', `%79${spelling}`);
      await plantKey(stranger, analyser, url);
    }
    await plantKey(stranger, analyser, plainly(shared));
    await expectResult(owner);
    const { document } = await runs.run({ caller: owner.pod.webId });
    const { webId, root } = owner.pod;
    expect(document.pods.filter(({ pod_root }) => pod_root === plainly(root))).toMatchObject([
      { web_id: webId, pod_id: webId.replace(/^http:\/\/|\/profile.*$/g, '').replace('/', '-') },
    ]);
  });

  test('keeps the name when the entry is removed from the inbox', async () => {
    await expectResult(owner);
    const inbox = analyser.pod.documents.sharedKeys;
    await analyser.client.request(inbox, { method: 'DELETE' });
    await expectResult(owner);
    await shareReadings(owner, analyser.pod.webId, [shared], { again: true });
  });

  test('is the only one who may read the result', async () => {
    await expectResult(owner);
    const url = ownResultAddress(analyser, owner);
    const rules = await analyser.client.request(aclAddress(url));
    const named = rules.body.toString().match(/http[^<>]+\/profile\/card#me/g) ?? [];
    const own = [owner.pod.webId, plainly(owner.pod.webId)];
    expect(new Set(named)).toEqual(new Set([analyser.pod.webId, ...own]));
  });
});
