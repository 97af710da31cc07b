import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import type { EmbeddedServer } from '../../src/embedded-server/embedded-server.js';
import { sealValue } from '../../src/pod/crypto/rsa.js';
import { shareId, shareSubject } from '../../src/pod/documents/shared-keys.js';
import { text } from '../../src/pod/documents/write-turtle.js';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import { findRecipientPod } from '../../src/pod/sharing/recipient-pod.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { putShareEntries } from '../../src/pod/sharing/share-entries.js';
import { vocabulary as v } from '../../src/pod/vocabulary.js';
import { patchDocument, putDocument } from '../../src/solid/documents/write-document.js';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import { startConfiguredServer } from '../support/configured-server.js';
import { allowReading, createContributor, record, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { operate } from '../support/operator.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

/**
 * Two Pods with one key: nobody but the operator can tell whose files they are. One `forget` of the
 * other side settles it, with --keys-to, and the warning says which.
 */
const server = sharedSolidServer();
let analyser: InitialisedPod;
const opened: { close(): Promise<unknown> }[] = [];

beforeEach(async () => {
  analyser = keep(await createInitialisedPod(server));
});
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

function keep<T extends { close(): Promise<unknown> }>(one: T): T {
  opened.push(one);
  return one;
}

async function startRuns(data = {}, client = analyser.client): Promise<TestRuns> {
  const sections = { output: { render_charts: false }, data };
  return keep(await startTestRuns(server, analyser, sections, { client }));
}

const run = async (runs: TestRuns): Promise<ResultsDocument> =>
  (await runs.run({ caller: null })).document;
const rootsIn = ({ pods }: ResultsDocument) => pods.map(({ pod_root }) => pod_root);

/** What the operator is told to give to the mode. */
function toForget({ warnings }: ResultsDocument, root: string): string | undefined {
  const [warning] = warnings.filter((one) => one.startsWith(`Files of ${root} do not count`));
  return /run the mode forget: forget (\S+) --keys-to \S+$/.exec(warning ?? '')?.[1];
}

/** Entries about files with the keys of the Pod that they were made in. */
async function announce(
  anybody: InitialisedPod,
  keyOwner: InitialisedPod,
  files: readonly { original: string; url: string }[],
): Promise<void> {
  const originals = files.map(({ original }) => original);
  const keys = await findResourceKeys(keyOwner.client, keyOwner.pod, originals);
  const recipient = await findRecipientPod(anybody.client, analyser.pod.webId, analyser.pod.appDir);
  const entries = files.flatMap(({ original, url }) => {
    const key = keys.get(original);
    return key === undefined ? [] : [{ url, key }];
  });
  expect(entries).toHaveLength(files.length);
  await putShareEntries(anybody.client, recipient, entries);
}

/** The same ciphertexts in another Pod, shared with the same keys. */
async function shareSameFiles(
  from: InitialisedPod,
  urls: readonly string[],
  to: InitialisedPod,
  announcer = to,
): Promise<void> {
  const files = urls.map((original) => ({
    original,
    url: original.replace(from.pod.root, to.pod.root),
  }));
  for (const { original, url } of files) {
    await putDocument(to.client, url, (await from.client.request(original)).body);
    await allowReading(to, analyser, url);
  }
  await announce(announcer, from, files);
}

test('somebody who moved to another Pod counts there again after one forget', async () => {
  const before = keep(await createContributor(server, analyser, weekly([120, 80, 60])));
  const after = keep(await createInitialisedPod(server));
  const runs = await startRuns();
  expect(rootsIn(await run(runs))).toEqual([before.pod.root]);
  await shareSameFiles(before, before.urls, after);
  for (const url of before.urls) await before.client.request(url, { method: 'DELETE' });

  const refused = await run(runs);
  expect(rootsIn(refused)).toEqual([]);
  const old = toForget(refused, after.pod.root);
  expect(old).toBe(before.pod.webId);
  // The keys are still those of the old Pod, also after its shares have ended and it was forgotten.
  expect(toForget(await run(runs), after.pod.root)).toBe(old);
  const keysTo = ['--keys-to', after.pod.webId];
  expect(await operate(runs, analyser, 'forget', old ?? '', ...keysTo)).toMatchObject({ code: 0 });
  const settled = await run(runs);
  expect(rootsIn(settled)).toEqual([after.pod.root]);
  expect(settled.warnings.join()).not.toContain('do not count');
});

test('a reader who shares what was shared with them first does not lock the owner out', async () => {
  const [owner, doctor] = [
    keep(await createInitialisedPod(server)),
    keep(await createContributor(server, analyser, weekly([110, 70, 50]))),
  ];
  const later = weekly([110, 70, 50], [150, 95, 75], [160, 99, 79]).slice(1);
  const urls = await record(owner, later);
  await shareSameFiles(owner, urls, doctor);
  const runs = await startRuns();
  const first = await run(runs);
  expect(rootsIn(first)).toEqual([doctor.pod.root]);
  expect(first.pods[0]?.files_read).toBe(3);

  await shareResources(owner.client, owner.pod, { urls, recipientWebId: analyser.pod.webId });
  const contested = await run(runs);
  expect(rootsIn(contested)).toEqual([doctor.pod.root]);
  const { webId } = doctor.pod;
  expect(toForget(contested, owner.pod.root)).toBe(webId);
  const keysTo = ['--keys-to', owner.pod.webId];
  expect(await operate(runs, analyser, 'forget', webId, ...keysTo)).toMatchObject({ code: 0 });

  const settled = await run(runs);
  expect(settled.pods.map((pod) => [pod.pod_root, pod.files_read])).toEqual([[owner.pod.root, 2]]);
  // What the doctor has does not count from now on: all keys of that Pod are the owner's.
  expect(toForget(settled, doctor.pod.root)).toBe(owner.pod.webId);
});

test('a key that three Pods had at the same time is settled by a command for each of the others', async () => {
  const [owner, one, two] = [
    keep(await createContributor(server, analyser, weekly([120, 80, 60]))),
    keep(await createInitialisedPod(server)),
    keep(await createInitialisedPod(server)),
  ];
  for (const copier of [one, two]) await shareSameFiles(owner, owner.urls, copier);
  const runs = await startRuns();
  expect(rootsIn(await run(runs))).toEqual([]);
  const keysTo = ['--keys-to', owner.pod.webId];
  const forget = async ({ pod }: InitialisedPod) =>
    (await operate(runs, analyser, 'forget', pod.webId, ...keysTo)).out;
  expect(await forget(one)).toContain('keys moved        1: ');
  expect(rootsIn(await run(runs))).toEqual([]);
  expect(await forget(two)).toContain('keys moved        1: ');
  expect(rootsIn(await run(runs))).toEqual([owner.pod.root]);
});

test('a wrong key beside those of the old Pod hides no move', async () => {
  const before = keep(await createContributor(server, analyser, weekly([120, 80, 60])));
  const after = keep(await createInitialisedPod(server));
  const runs = await startRuns();
  await run(runs);
  await shareSameFiles(before, before.urls, after);
  for (const url of before.urls) {
    await plantKeyBeside(url.replace(before.pod.root, after.pod.root), before);
    await before.client.request(url, { method: 'DELETE' });
  }
  expect(toForget(await run(runs), after.pod.root)).toBe(before.pod.webId);
  const keysTo = ['--keys-to', after.pod.webId];
  const { out } = await operate(runs, analyser, 'forget', before.pod.webId, ...keysTo);
  expect(out).toContain('keys moved        1:');
  expect(rootsIn(await run(runs))).toEqual([after.pod.root]);
});

/** Another key for the same address, in the entry that the app made. */
async function plantKeyBeside(url: string, stranger: InitialisedPod): Promise<void> {
  const { webId, documents } = analyser.pod;
  const { publicKey } = await findRecipientPod(stranger.client, webId, analyser.pod.appDir);
  const key = sealValue(randomBytes(32).toString('base64'), publicKey) ?? '';
  const insert = [text(shareSubject(shareId(url, webId)), v.sharedKey, key)];
  await patchDocument(stranger.client, documents.sharedKeys, { insert });
}

test('a server that was renamed: a forget for each of its Pods', async () => {
  const [old, renamed] = await Promise.all([startOther(), startOther()]);
  const helper = keep(await createInitialisedPod(server));
  const moves: { from: InitialisedPod; to: InitialisedPod; urls: string[] }[] = [];
  for (const systolic of [130, 140]) {
    const [from, to] = [await createAt(old), await createAt(renamed)];
    const urls = await record(from, weekly([systolic, 80, 60]));
    for (const url of urls) await allowReading(from, analyser, url);
    const files = urls.map((url) => ({ original: url, url }));
    await announce(helper, from, files);
    moves.push({ from, to, urls });
  }
  const allowed_origins = [old, renamed].map(({ baseUrl }) => new URL(baseUrl).origin);
  const client = keep(
    createSolidClient({
      serverUrl: server.baseUrl,
      allowedOrigins: allowed_origins,
      credentials: analyser.account,
    }),
  );
  const runs = await startRuns({ allowed_origins }, client);
  const roots = (of: 'from' | 'to') => moves.map((move) => move[of].pod.root).sort();
  expect(rootsIn(await run(runs)).sort()).toEqual(roots('from'));
  for (const { from, urls, to } of moves) await shareSameFiles(from, urls, to, helper);
  await old.stop();
  // It is silent, and refuses nothing, so its Pods count as before.
  const silent = await run(runs);
  expect(silent.cohort).toMatchObject({ pod_count: 2, carried_pod_count: 2 });
  expect(silent.cohort.average_of_averages.systolic).toBe(135);
  for (const { from, to } of moves) {
    const keysTo = ['--keys-to', to.pod.webId];
    expect(await operate(runs, analyser, 'forget', from.pod.webId, ...keysTo)).toMatchObject({
      code: 0,
      out: expect.stringContaining('shares forgotten  1'),
    });
  }
  const settled = await run(runs);
  expect(rootsIn(settled).sort()).toEqual(roots('to'));
  expect(settled.cohort.average_of_averages.systolic).toBe(135);
}, 180_000);

async function startOther(): Promise<EmbeddedServer> {
  const other = await startConfiguredServer();
  opened.push({ close: () => other.stop() });
  return other;
}

async function createAt(at: EmbeddedServer): Promise<InitialisedPod> {
  return keep(await createInitialisedPod(at));
}
