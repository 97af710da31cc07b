import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeAccess } from '../../src/pod/access-control.js';
import { createResourceKey } from '../../src/pod/crypto/resource-key.js';
import { initialisePod } from '../../src/pod/initialise-pod.js';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import { readSharedWithMe } from '../../src/pod/sharing/read-shared-with-me.js';
import { findRecipientPod } from '../../src/pod/sharing/recipient-pod.js';
import { deleteShareEntries, putShareEntries } from '../../src/pod/sharing/share-entries.js';
import type { HttpSolidClient, SolidRequest } from '../../src/solid/solid-client.js';
import { type Contributor, createContributor, record, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, startTestRuns, type TestRuns, withTestRuns } from '../support/test-runs.js';

/** What a run keeps from the one before it must never show in what the next one says. */

const server = sharedSolidServer();
const asked: { url: string; options: SolidRequest }[] = [];
let analyser: InitialisedPod;
let alice: Contributor;
let bob: Contributor;
let runs: TestRuns;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  [alice, bob] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60])),
    createContributor(server, analyser, weekly([110, 70, 50], [130, 90, 70])),
  ]);
  const client: HttpSolidClient = {
    ...analyser.client,
    request: (url, options = {}) => {
      asked.push({ url, options });
      return analyser.client.request(url, options);
    },
  };
  runs = await startTestRuns(server, analyser, figuresOnly, { client });
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser.close(), alice.close(), bob.close()]);
});

const withoutChart = { output: { render_charts: false } };

async function averageOf(
  owner: InitialisedPod,
  of: TestRuns = runs,
): Promise<number | null | undefined> {
  const { document } = await of.run({ caller: alice.pod.webId });
  return document.pods.find(({ web_id }) => web_id === owner.pod.webId)?.measures.systolic.average;
}

async function replaceEntry(owner: InitialisedPod, url: string, key: Buffer): Promise<void> {
  const recipient = await findRecipientPod(owner.client, analyser.pod.webId, analyser.pod.appDir);
  await putShareEntries(owner.client, recipient, [{ url, key }]);
}

describe('after a run in which everything was read', () => {
  beforeEach(async () => {
    expect(await averageOf(bob)).toBe(120);
    asked.length = 0;
  });

  test('the next run asks the server for every file, whatever it answered before', async () => {
    expect(await averageOf(bob)).toBe(120);
    for (const url of [...alice.urls, ...bob.urls]) {
      expect(asked.filter((one) => one.url === url)).toHaveLength(1);
    }
    const conditions = asked.flatMap(({ options }) => Object.keys(options.headers ?? {}));
    expect(conditions).not.toContain('if-none-match');
  });

  test('a file that changes within the second, with no new ETag, shows its new content', async () => {
    const timestamp = '2026-01-05T08:00:00.000';
    const reading = (systolic: number) => ({ timestamp, systolic, diastolic: 70, heart_rate: 50 });
    await record(bob, [reading(150)]);
    expect(await averageOf(bob)).toBe(140);
    await record(bob, [reading(110)]);
    expect(await averageOf(bob)).toBe(120);
  });

  test('a share revoked by its access alone is gone, and back when it is given again', async () => {
    const [url = ''] = bob.urls;
    const access = { resources: [url], pod: bob.pod, agent: analyser.pod.webId };
    await changeAccess(bob.client, { ...access, modes: [] });
    expect(await averageOf(bob)).toBe(130);
    await changeAccess(bob.client, { ...access, modes: ['read'] });
  });

  test('an entry that is removed, or holds another key, takes nothing away that was read', async () => {
    const [url = ''] = bob.urls;
    const key = (await findResourceKeys(bob.client, bob.pod, [url])).get(url);
    if (key === undefined) throw new Error('The reading has no key.');
    const recipient = await findRecipientPod(bob.client, analyser.pod.webId, analyser.pod.appDir);
    // Only what is published is remembered.
    await withTestRuns(server, analyser, withoutChart, async (remembering) => {
      await remembering.ask(alice);
      await deleteShareEntries(bob.client, recipient, [url]);
      expect(await averageOf(bob, remembering)).toBe(120);
      await replaceEntry(bob, url, createResourceKey());
      expect(await averageOf(bob, remembering)).toBe(120);
      await replaceEntry(bob, url, key);
    });
  });
});

test('a caller whose Pod was initialised anew can open what is published next', async () => {
  const { documents, webId, appDir } = alice.pod;
  await withTestRuns(server, analyser, withoutChart, async (publishing) => {
    const first = await publishing.ask(alice);
    await readSharedWithMe(alice.client, alice.pod, first.result_url);
    for (const url of [documents.encKeys, documents.publicKey]) {
      await alice.client.request(url, { method: 'DELETE' });
    }
    const lock = { webId, appDir, securityKey: 'another security key' };
    const renewed = await initialisePod(alice.client, lock);
    const second = await publishing.ask(alice);
    const { text } = await readSharedWithMe(alice.client, renewed, second.result_url);
    expect(text).toContain(second.generated_at);
    renewed.dispose();
  });
});
