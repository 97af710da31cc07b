import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { changeAccess } from '../../src/pod/access-control.js';
import { encryptContent } from '../../src/pod/crypto/content-cipher.js';
import { buildEncryptedResource } from '../../src/pod/documents/encrypted-resource.js';
import { revokeShares } from '../../src/pod/sharing/share.js';
import { putDocument } from '../../src/solid/documents/write-document.js';
import {
  type Contributor,
  createContributor,
  plantKey,
  recordInFolder,
  shareFolder,
  weekly,
} from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress, removeMemory } from '../support/memory-of.js';
import { folderOfPod, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { TestControl } from '../support/test-control.js';
import { startTestRuns, type TestRuns, withTestRuns } from '../support/test-runs.js';
import { createAttacker } from './attacker.js';

/**
 * Whoever removes entries from the inbox, and puts them back, must not be able to work out from the
 * difference what they contribute.
 */
const server = sharedSolidServer();
const withoutCharts = { output: { render_charts: false } };
let analyser: InitialisedPod;
let alice: Contributor;
let bob: Contributor;
let mallory: InitialisedPod;
let runs: TestRuns;
let inbox: Buffer;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  [alice, bob, mallory] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60], [130, 84, 66])),
    createContributor(server, analyser, weekly([110, 70, 50])),
    createInitialisedPod(server),
  ]);
  inbox = (await mallory.client.request(analyser.pod.documents.sharedKeys)).body;
});
beforeEach(async () => {
  runs = await startTestRuns(server, analyser, withoutCharts);
});
afterEach(async () => {
  await runs.close();
  await removeMemory(analyser);
  await putDocument(mallory.client, analyser.pod.documents.sharedKeys, inbox);
});
afterAll(() => Promise.all([analyser, alice, bob, mallory].map((one) => one.close())));

const fill = (text: string) => putDocument(mallory.client, analyser.pod.documents.sharedKeys, text);
const emptyInbox = '<a> <b> "c" .';

async function run(of = runs): Promise<ResultsDocument> {
  return (await of.run({ caller: alice.pod.webId })).document;
}

const figures = ({ pods, cohort }: ResultsDocument) => ({ pods, cohort });

/** As after a restart: nothing is left but what is on the disk and in the Pod. */
function runRestarted(): Promise<ResultsDocument> {
  const output = { ...runs.config.output };
  return withTestRuns(server, analyser, { output }, (restarted) => run(restarted));
}

describe('an entry that is removed takes nothing away', () => {
  test.each([
    ['all entries', () => fill(emptyInbox)],
    ['the right key, for a wrong one', () => plantKey(mallory, analyser, bob.urls[0] ?? '')],
  ])('%s', async (_, attack) => {
    const before = await run();
    expect(before.cohort.pod_count).toBe(2);
    await attack();
    expect(figures(await run())).toEqual(figures(before));
    expect(figures(await runRestarted())).toEqual(figures(before));
    await fill(inbox.toString());
    expect(figures(await run())).toEqual(figures(before));
  });

  test('the run says that files count which have no entry', async () => {
    await run();
    await fill(emptyInbox);
    const { warnings } = await run();
    expect(warnings).toEqual([
      expect.stringMatching(/^Counted 3 files without an entry in the inbox/),
    ]);
    expect(warnings.join()).not.toContain(bob.pod.root);
  });

  test('entries without end push nothing out', async () => {
    const before = await run();
    const { documents } = mallory.pod;
    const flood = Array.from({ length: 400 }, (_, index) => ({
      url: `${documents.app}data/blood_pressure/${index}.json.enc.ttl`,
    }));
    const attacker = await createAttacker(mallory, analyser);
    await fill(emptyInbox);
    await attacker.plant(flood);
    expect(figures(await run())).toEqual(figures(before));
  });
});

describe('a share that its owner takes back is gone at the next analysis', () => {
  const withDave = async (use: (dave: Contributor) => Promise<void>) => {
    const dave = await createContributor(server, analyser, weekly([140, 90, 70], [160, 95, 75]));
    try {
      await use(dave);
    } finally {
      await dave.close();
    }
  };
  const entryOf = (document: ResultsDocument, { pod }: InitialisedPod) =>
    document.pods.find(({ web_id }) => web_id === pod.webId);
  const textOf = async ({ client }: Contributor, url: string) =>
    (await client.request(url)).body.toString();
  const revoke = (dave: Contributor, urls = dave.urls) =>
    revokeShares(dave.client, dave.pod, { urls, recipientWebId: analyser.pod.webId });

  test('as the app does it, one or all, and counts nowhere', () =>
    withDave(async (dave) => {
      expect(entryOf(await run(), dave)?.files_read).toBe(2);
      await revoke(dave, dave.urls.slice(0, 1));
      expect(entryOf(await run(), dave)).toMatchObject({ files_read: 1, files_skipped: 0 });
      await revoke(dave);
      const { pods, warnings } = await run();
      expect(pods).toHaveLength(2);
      expect(warnings.join()).not.toContain(dave.pod.root);
    }));

  test('it is not there again when its access alone is opened again', () =>
    withDave(async (dave) => {
      await run();
      await revoke(dave);
      await run();
      const access = { resources: dave.urls, pod: dave.pod, agent: analyser.pod.webId };
      await changeAccess(dave.client, { ...access, modes: ['read'] });
      expect(entryOf(await run(), dave)).toBeUndefined();
    }));

  test('by its access alone: counted as skipped, as long as its entry is there', () =>
    withDave(async (dave) => {
      await run();
      const [url = ''] = dave.urls;
      const access = { resources: [url], pod: dave.pod, agent: analyser.pod.webId };
      await changeAccess(dave.client, { ...access, modes: [] });
      expect(entryOf(await run(), dave)).toMatchObject({ files_read: 1, files_skipped: 1 });
    }));

  test('a file that is deleted; one under a key that nobody gave us is missing, and ends nothing', () =>
    withDave(async (dave) => {
      await run();
      await fill(emptyInbox);
      const [first = '', second = ''] = dave.urls;
      const original = await textOf(dave, second);
      await dave.client.request(first, { method: 'DELETE' });
      expect(entryOf(await run(), dave)).toMatchObject({ files_read: 1, files_skipped: 0 });
      const other = encryptContent('of another key', randomBytes(32));
      const resource = { content: other, inheritKeyFrom: null };
      await putDocument(
        dave.client,
        second,
        buildEncryptedResource(second, dave.pod.root, resource),
      );
      const { pods } = await run();
      expect(pods.find(({ web_id }) => web_id === dave.pod.webId)).toMatchObject({
        files_read: 0,
        carried: { observation_count: 1 },
      });
      await putDocument(dave.client, second, original);
      expect(entryOf(await run(), dave)).toMatchObject({ files_read: 1, files_skipped: 0 });
    }));

  test('but a page in the place of a file, as of a proxy, takes nothing back', () =>
    withDave(async (dave) => {
      const [url = ''] = dave.urls;
      const original = await textOf(dave, url);
      await run();
      await fill(emptyInbox);
      await putDocument(dave.client, url, '<a> <b> "Back at ten" .');
      const { pods, warnings } = await run();
      expect(pods.find(({ web_id }) => web_id === dave.pod.webId)).toMatchObject({
        files_read: 1,
        files_skipped: 1,
      });
      expect(warnings.join()).toContain(
        `${url}: it is encrypted in a way that this version does not know`,
      );
      await putDocument(dave.client, url, original);
      expect(entryOf(await run(), dave)).toMatchObject({ files_read: 2, files_skipped: 0 });
    }));
});

describe('a shared folder', () => {
  test('goes on with every file that its key opens, new ones too, until it is closed', async () => {
    const erin = await createInitialisedPod(server);
    const [first, second] = weekly([140, 90, 70], [150, 90, 70]);
    if (!first || !second) throw new Error('There are two.');
    const folder = await shareFolder(erin, analyser, [first]);
    const sharing = { urls: [folder], recipientWebId: analyser.pod.webId };
    const before = await run();
    expect(before.cohort.pod_count).toBe(3);
    await fill(emptyInbox);
    expect(figures(await runRestarted())).toEqual(figures(before));
    await recordInFolder(erin, [second]);
    const entryOf = ({ pods }: ResultsDocument) =>
      pods.find(({ web_id }) => web_id === erin.pod.webId);
    expect(entryOf(await run())).toMatchObject({ files_read: 2, files_skipped: 0 });
    await revokeShares(erin.client, erin.pod, sharing);
    const after = await run();
    expect(entryOf(after)).toBeUndefined();
    expect(after.warnings.join()).not.toContain(erin.pod.root);
    await erin.close();
  });
});

describe('the memory', () => {
  const stored = async () => (await analyser.client.request(memoryAddress(analyser))).body;

  test('shows nothing without the keys of the Analyser, and is written only when it changes', async () => {
    await run();
    const text = await stored();
    const bytes = Buffer.from(text.toString(), 'base64');
    for (const word of ['http', 'localhost', 'blood', alice.account.webId.split('/')[3] ?? '-']) {
      expect(bytes.includes(word)).toBe(false);
    }
    expect((await mallory.client.request(memoryAddress(analyser))).status).toBe(403);
    await run();
    expect(await stored()).toEqual(text);
  });

  test('a cancelled analysis leaves none, and no key for one', async () => {
    const before = await takeSnapshot(folderOfPod(analyser.pod.root));
    const control = new TestControl();
    control.onCommit = () => control.stop('cancel');
    await expect(runs.run({ caller: alice.pod.webId }, control)).rejects.toThrow('cancelled');
    expect(await takeSnapshot(folderOfPod(analyser.pod.root))).toEqual(before);
  });
});
