import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parentFolder } from '../../src/pod/addresses.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { putDocument } from '../../src/solid/documents.js';
import { readTurtle } from '../../src/solid/turtle.js';
import { runMode } from '../support/command-line.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { openWithKey, readEncrypted } from '../support/open-with-key.js';
import { cohortAddress, ownResultAddress } from '../support/published.js';
import { folderOfPod, snapshotPods } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const [anna, ben] = await Promise.all([
  createContributor(server, analyser, weekly([120, 80, 60])),
  createContributor(server, analyser, weekly([140, 90, 70])),
]);
const runs = await startTestRuns(server, analyser);

const statusOf = async (url: string) => (await analyser.client.request(url)).status;

async function forget(...args: string[]) {
  const { config, folder } = runs;
  await writeConfigFile(folder, analyser, {
    output: config.output,
    data: { excluded_pods: [anna.pod.webId] },
  });
  return await runMode(['forget', ...args, '--yes'], { cwd: folder });
}

/** Every file below var/, as text. */
async function everything(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'config.yaml');
  const texts = files.map(async (file) => {
    const path = join(file.parentPath, file.name);
    return `${path}\n${await readFile(path, 'latin1')}`;
  });
  return (await Promise.all(texts)).join('\n');
}

const isNamedIn = (text: string, { pod }: InitialisedPod) =>
  text.includes(pod.root) || text.includes(podIdOfRoot(pod.root));

/** Of a document of the Analyser. */
async function statementsOf(name: 'permissionsLog' | 'indKeys'): Promise<string[]> {
  const url = analyser.pod.documents[name];
  const document = await readTurtle((await analyser.client.request(url)).body, url);
  const statements = Array.from(document.subjects(), (subject) => document.about(subject)).flat();
  return statements.map((statement) => JSON.stringify(statement)).sort();
}

test('[8.3] nothing of somebody is left once they are erased, but what lies in their own Pod', async () => {
  await runs.ask(anna);
  await runs.ask(ben);
  await runs.run({ caller: null });
  const own = ownResultAddress(analyser, anna);
  expect([await statusOf(own), await statusOf(`${own}.acl`)]).toEqual([200, 200]);
  const before = await snapshotPods([anna, ben]);
  const { key } = await readEncrypted(anna, own);
  const documents = ['permissionsLog', 'indKeys'] as const;
  const statements = await Promise.all(documents.map(statementsOf));
  // Of a later version, after a step back.
  const unreadable = join(runs.config.output.results_dir, 'run-20260819T091500Z.json');
  await writeFile(unreadable, `{"schema_version": 2, "pods": ["${anna.pod.webId}"]}`);

  const { code, out } = await forget(anna.pod.webId, '--erase');
  expect(code).toBe(0);
  expect(out).toContain(`document removed  ${own}`);
  expect(out.match(/^erased from run {3}\d{8}T\d{6}Z$/gm)).toHaveLength(3);
  expect(out).toMatch(/^chart removed {5}\S+$/m);
  expect(out).toContain('Nothing in that Pod was touched. data.excluded_pods leaves it out.');
  expect(out).not.toContain('counts again');
  expect(out).toContain(`folder removed    ${parentFolder(own)}`);
  expect(out).toContain(`key removed       ${own}`);
  expect(out).toContain(`access ended      ${cohortAddress(analyser)}`);
  // Of the share, and of her result and the cohort document in two runs.
  expect(out).toContain('log lines removed 5\n');
  expect(out).toMatch(/^not erased from .*run-20260819T091500Z\.json: .*remove it/m);
  await rm(unreadable);

  expect([await statusOf(own), await statusOf(`${own}.acl`)]).toEqual([404, 404]);
  expect(await statusOf(ownResultAddress(analyser, ben))).toBe(200);
  expect(await snapshotPods([anna, ben])).toEqual(before);
  const left = await everything(runs.folder);
  expect(isNamedIn(left, anna)).toBe(false);
  expect(left).not.toContain(new URL(own).pathname);
  expect(left).toContain(ben.pod.root);
  expect(isNamedIn(await everything(folderOfPod(analyser.pod.root)), anna)).toBe(false);
  expect(await statusOf(parentFolder(own))).toBe(404);
  // Of everybody else, everything is left.
  expect(await Promise.all(documents.map(statementsOf))).toEqual(
    statements.map((some) => some.filter((one) => !isNamedIn(one, anna))),
  );
  expect((await ben.client.request(cohortAddress(analyser))).status).toBe(200);

  // The operator has left her out first, so she counts no more; only her WebID in the setting says so.
  const excluding = { ...runs.config.data, excluded_pods: [anna.pod.webId] };
  const later = await startTestRuns(server, analyser, {
    data: excluding,
    output: runs.config.output,
  });
  const { document } = await later.run({ caller: ben.pod.webId });
  expect(document.pods.map(({ web_id }) => web_id)).toEqual([ben.pod.webId]);
  // Whoever asks in her name brings it back into nothing.
  expect(await later.ask(anna)).toMatchObject({ status: 'NO_DATA', run_id: '' });
  expect(isNamedIn(await everything(runs.folder), anna)).toBe(false);

  // Should she come back, the key that her app holds opens the new result.
  await runs.ask(anna);
  expect(await openWithKey(anna.client, own, key)).toContain('"pod-average"');
});

test('[8.3] a log that cannot be read, and a folder with other documents, are named, and the rest is erased', async () => {
  await runs.ask(ben);
  const { permissionsLog } = analyser.pod.documents;
  const own = ownResultAddress(analyser, ben);
  await putDocument(analyser.client, permissionsLog, '<https://');
  await putDocument(analyser.client, `${parentFolder(own)}notes.ttl`, '');
  const { code, out } = await forget(ben.pod.webId, '--erase');
  expect(code).toBe(0);
  expect(out).toContain('It counts again with the next analysis while');
  expect(out).toContain(`key removed       ${own}`);
  expect(out).toContain(`not erased from   ${parentFolder(own)}: HTTP 409.`);
  expect(out).toContain(
    `not erased from   ${permissionsLog}: ${permissionsLog} is not a Turtle document`,
  );
  expect(await statusOf(own)).toBe(404);
});

test('whoever is not known is told as such, and nobody is erased unasked', async () => {
  const { code, out, err } = await forget(`${server.baseUrl}nobody/profile/card#me`, '--erase');
  expect([code, out]).toEqual([1, expect.not.stringContaining('counts again')]);
  expect(err).toContain('Nothing was known of ');
  const unasked = await runMode(['forget', anna.pod.webId, '--erase'], { cwd: runs.folder });
  expect(unasked).toMatchObject({ code: 2, err: expect.stringContaining('add --yes') });
});

test.each([
  ['without a WebID', ['--erase']],
  ['with an address', ['https://pods.example.org/anna/', '--erase']],
  ['with everybody', ['--all', '--erase']],
])('nobody is erased %s', async (_name, args) => {
  expect((await forget(...args)).code).toBe(2);
});
