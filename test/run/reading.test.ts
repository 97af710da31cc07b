import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  agentRule,
  changeAccess,
  everyoneRule,
  ownerRule,
  type Rule,
  writeAcl,
} from '../../src/pod/access-control.js';
import { aclAddress, isFolder } from '../../src/pod/addresses.js';
import { notAsked, notRead } from '../../src/pod/outcome.js';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import { writeEncryptedResources } from '../../src/pod/write-resource.js';
import { readShares } from '../../src/run/read/read-shares.js';
import type { PartReader, ReadTask } from '../../src/run/read/read-task.js';
import { lendingFolder, type Pod } from '../../src/run/table/row.js';
import { putDocument } from '../../src/solid/documents.js';
import { allowReading, readingText } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import {
  outcomesOf,
  ownerOf,
  readTask,
  type Share,
  share,
  tableOf,
} from '../support/readings-of.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { writeInheriting } from '../support/write-inheriting.js';

/** Step 4 by itself: what becomes of each file and folder, whatever led to it. */
const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const [alice, bob] = await Promise.all([
  createInitialisedPod(server),
  createInitialisedPod(server),
]);

const read = (pods: readonly Pod[], changes: Partial<ReadTask> = {}) =>
  readShares(analyser, pods, readTask(changes));

async function readOne(owner: InitialisedPod, shares: readonly Share[]) {
  const [reading] = await read([tableOf(ownerOf(owner), shares)]);
  if (reading === undefined) throw new Error('There is one.');
  return { ...reading, outcomes: outcomesOf(reading) };
}

const reading = (systolic: number) =>
  readingText({ timestamp: '2026-03-01T08:00:00', systolic, diastolic: 80, heart_rate: 60 });

const at = ({ pod }: InitialisedPod, path: string) => `${pod.documents.app}data/${path}`;

/** Encrypted files of an owner, by path; returns the key of each, and of the folder if there is one. */
async function write(
  owner: InitialisedPod,
  files: Record<string, string>,
  inheritFrom?: string,
): Promise<Buffer[]> {
  const contents = Object.entries(files).map(([path, content]) => ({
    url: at(owner, path),
    content,
  }));
  if (inheritFrom === undefined) await writeEncryptedResources(owner.client, owner.pod, contents);
  else await writeInheriting(owner, contents, at(owner, inheritFrom));
  const urls =
    inheritFrom === undefined ? contents.map(({ url }) => url) : [at(owner, inheritFrom)];
  const keys = await findResourceKeys(owner.client, owner.pod, urls);
  return urls.map((url) => keys.get(url) ?? randomBytes(32));
}

async function allow(owner: InitialisedPod, ...paths: string[]): Promise<void> {
  for (const path of paths) await allowReading(owner, analyser, at(owner, path));
}

async function setRules(
  owner: InitialisedPod,
  path: string,
  more: (url: string) => Rule[],
): Promise<void> {
  const url = at(owner, path);
  const rules = [ownerRule(url, owner.pod.webId), ...more(url)];
  await putDocument(owner.client, aclAddress(url), writeAcl(url, rules));
}

const forEverybody = (url: string) => [everyoneRule(url, ['read'])];
const plain = { contentType: 'application/json' };
const readBy = (key: Buffer | null) => ({ key });

describe('a file', () => {
  test('that counts is read, with the key that opened it', async () => {
    const [own = randomBytes(32)] = await write(alice, { 'ok/a.enc.ttl': reading(120) });
    await putDocument(alice.client, at(alice, 'ok/b.enc.ttl'), reading(130), plain);
    await allow(alice, 'ok/a.enc.ttl', 'ok/b.enc.ttl');
    const shares = [
      share(at(alice, 'ok/a.enc.ttl'), { keys: [randomBytes(32), own] }),
      share(at(alice, 'ok/b.enc.ttl'), { keys: [randomBytes(32)] }),
    ];
    const { outcomes, summary, ...rest } = await readOne(alice, shares);
    expect(outcomes).toEqual({ 'a.enc.ttl': readBy(own), 'b.enc.ttl': readBy(null) });
    expect(summary).toMatchObject({
      observation_count: 2,
      measures: { systolic: { average: 125 } },
    });
    expect(rest).toMatchObject({ filesRead: 2, filesSkipped: 0, warnings: [], readings: [] });
  });

  test('that is refused, open to everybody or closed to its keys does not count', async () => {
    const names = ['closed', 'open', 'told', 'sealed', 'bare'];
    const contents = Object.fromEntries(names.map((name) => [`end/${name}.enc.ttl`, reading(120)]));
    const [closed, open, told = randomBytes(32)] = await write(alice, contents);
    await allow(alice, 'end/sealed.enc.ttl', 'end/bare.enc.ttl');
    await setRules(alice, 'end/open.enc.ttl', forEverybody);
    await setRules(alice, 'end/told.enc.ttl', forEverybody);
    const named = (name: string, changes: Omit<Share, 'url'>) =>
      share(at(alice, `end/${name}.enc.ttl`), changes);
    const { outcomes, warnings, filesSkipped } = await readOne(alice, [
      named('closed', { keys: [closed].flatMap((key) => key ?? []) }),
      named('open', { keys: [open].flatMap((key) => key ?? []), mayHaveEntry: false }),
      named('told', { keys: [told] }),
      named('sealed', { keys: [randomBytes(32)] }),
      named('bare', {}),
    ]);
    expect(outcomes).toEqual({
      'closed.enc.ttl': 'refused',
      'open.enc.ttl': 'published',
      'told.enc.ttl': readBy(told),
      'sealed.enc.ttl': 'no key',
      'bare.enc.ttl': 'no key',
    });
    // That of which no entry is left is missed by nobody.
    expect(filesSkipped).toBe(3);
    const said = (name: string, reason: string) =>
      `${at(alice, `end/${name}.enc.ttl`)}: ${reason} (file skipped)`;
    expect(warnings).toEqual([
      said('bare', 'no key has been shared for this resource'),
      said('closed', 'the Analyser may not read it (HTTP 403)'),
      said('sealed', 'could not be decrypted'),
    ]);
  });

  test('[4.14][T11] is told apart: what its owner put there, a page or a part of a file, what nobody can prove', async () => {
    const [text, key = randomBytes(32)] = await write(alice, {
      'odd/text.enc.ttl': 'x',
      'odd/cut.enc.ttl': reading(120),
    });
    const page = '<!doctype html><p>Please log in.';
    const html = { contentType: 'text/html' };
    await putDocument(alice.client, at(alice, 'odd/page.enc.ttl'), page, html);
    const { body } = await alice.client.request(at(alice, 'odd/cut.enc.ttl'));
    const cut = body.toString().slice(0, 200);
    await putDocument(alice.client, at(alice, 'odd/cut.enc.ttl'), cut, {
      contentType: 'text/plain',
    });
    await putDocument(alice.client, at(alice, 'odd/open.enc.ttl'), reading(120), plain);
    await putDocument(alice.client, at(alice, 'odd/other.enc.ttl'), '{"weight": 70}', plain);
    await putDocument(alice.client, at(alice, 'odd/half.enc.ttl'), '{"timestamp": "2026-', plain);
    const names = ['text.enc.ttl', 'page.enc.ttl', 'cut.enc.ttl'];
    const others = ['other.enc.ttl', 'half.enc.ttl'];
    await allow(alice, ...[...names, ...others].map((name) => `odd/${name}`));
    await setRules(alice, 'odd/open.enc.ttl', forEverybody);
    const keys = [text ?? [], key].flat();
    const { outcomes, filesSkipped } = await readOne(alice, [
      ...names.map((name) => share(at(alice, `odd/${name}`), { keys })),
      ...[...others, 'open.enc.ttl'].map((name) => share(at(alice, `odd/${name}`))),
    ]);
    expect(outcomes).toEqual({
      'text.enc.ttl': 'no reading',
      'page.enc.ttl': 'unreadable',
      'cut.enc.ttl': 'unreadable',
      'other.enc.ttl': 'no reading',
      'half.enc.ttl': 'unreadable',
      'open.enc.ttl': 'plaintext',
    });
    expect(filesSkipped).toBe(6);
  });

  test('[T9][T10][T11] that the Analyser may change counts with its own key, unless everybody may, or it is plain', async () => {
    const names = ['ours', 'all'];
    const [ours = randomBytes(32), all = randomBytes(32)] = await write(
      alice,
      Object.fromEntries(names.map((name) => [`change/${name}.enc.ttl`, reading(120)])),
    );
    await putDocument(alice.client, at(alice, 'change/plain.enc.ttl'), reading(120), plain);
    const [ofFolder = randomBytes(32)] = await write(
      alice,
      { 'change/in/inherits.enc.ttl': reading(200) },
      'change/in/',
    );
    await allow(alice, 'change/in/');
    await changeAccess(alice.client, {
      resources: ['ours.enc.ttl', 'plain.enc.ttl', 'in/inherits.enc.ttl'].map((name) =>
        at(alice, `change/${name}`),
      ),
      pod: alice.pod,
      agent: analyser.pod.webId,
      modes: ['read', 'write', 'append'],
    });
    await setRules(alice, 'change/all.enc.ttl', (url) => [everyoneRule(url, ['read', 'append'])]);
    const { outcomes } = await readOne(alice, [
      share(at(alice, 'change/ours.enc.ttl'), { keys: [ours] }),
      share(at(alice, 'change/all.enc.ttl'), { keys: [all] }),
      share(at(alice, 'change/plain.enc.ttl')),
      share(at(alice, 'change/in/'), { keys: [ofFolder] }),
    ]);
    expect(outcomes).toEqual({
      'ours.enc.ttl': readBy(ours),
      'all.enc.ttl': 'writable',
      'plain.enc.ttl': 'unproven',
      'in/': readBy(null),
      // Somebody can have put another file of the folder in its place.
      'inherits.enc.ttl': 'writable',
    });
  });
});

describe('a shared folder', () => {
  test('[4.8][3.4] lends its key to the files that it lists, unless they name another', async () => {
    const [key = randomBytes(32)] = await write(bob, { 'f/a.enc.ttl': reading(110) }, 'f/');
    const [own = randomBytes(32)] = await write(bob, { 'f/own.enc.ttl': reading(130) });
    await write(bob, { 'f/other.enc.ttl': reading(200) }, 'elsewhere/');
    await write(bob, { 'f/deep/b.enc.ttl': reading(200) }, 'f/');
    await putDocument(bob.client, at(bob, 'f/list.enc.ttl'), reading(120), plain);
    await putDocument(bob.client, at(bob, 'f/note.txt'), reading(200), plain);
    await allow(bob, 'f/');
    const folder = at(bob, 'f/');
    const { outcomes, rows, warnings, summary } = await readOne(bob, [
      share(folder, { keys: [randomBytes(32), key] }),
      share(at(bob, 'f/own.enc.ttl'), { keys: [own] }),
    ]);
    expect(outcomes).toEqual({
      'f/': readBy(null),
      'a.enc.ttl': readBy(key),
      'own.enc.ttl': readBy(own),
      'other.enc.ttl': 'no key',
      'list.enc.ttl': readBy(null),
    });
    const files = [...rows.values()].filter(({ url }) => !isFolder(url));
    expect(files.map((file) => lendingFolder(file)?.url)).toEqual(Array(4).fill(folder));
    expect(summary.measures.systolic.average).toBe(120);
    expect(warnings).toEqual([
      `${at(bob, 'f/other.enc.ttl')}: no key has been shared for this resource (file skipped)`,
    ]);
  });

  test('[T10][T11][4.9] into which others may write lends no key and adds no file, and a key opens one file', async () => {
    const [ofFolder = randomBytes(32)] = await write(
      bob,
      { 'drop/a.enc.ttl': reading(110), 'drop/unnamed.enc.ttl': reading(200) },
      'drop/',
    );
    const [own = randomBytes(32)] = await write(bob, { 'drop/own.enc.ttl': reading(130) });
    const { body } = await bob.client.request(at(bob, 'drop/own.enc.ttl'));
    await putDocument(bob.client, at(bob, 'drop/copy.enc.ttl'), body.toString());
    await putDocument(bob.client, at(bob, 'drop/plain.enc.ttl'), reading(200), plain);
    await setRules(bob, 'drop/', (url) => [
      agentRule(url, analyser.pod.webId, ['read']),
      { ...agentRule(url, analyser.pod.webId, ['write']), default: [] },
      { ...everyoneRule(url, ['append']), default: [] },
    ]);
    const result = await readOne(bob, [
      share(at(bob, 'drop/'), { keys: [ofFolder] }),
      share(at(bob, 'drop/a.enc.ttl'), { keys: [randomBytes(32)] }),
      share(at(bob, 'drop/copy.enc.ttl'), { keys: [own] }),
      share(at(bob, 'drop/own.enc.ttl'), { keys: [own], isKnown: true }),
      // Put there by a stranger, and named in an entry.
      share(at(bob, 'drop/plain.enc.ttl'), { keys: [randomBytes(32)] }),
    ]);
    expect(result.outcomes).toEqual({
      'drop/': 'writable',
      'a.enc.ttl': 'no key',
      'copy.enc.ttl': 'foreign key',
      'own.enc.ttl': readBy(own),
      'plain.enc.ttl': 'writable',
    });
    expect(result).toMatchObject({ filesRead: 1, filesSkipped: 3 });
  });
});

test('[4.8][T10] whether new files that take the key of a folder were shared is asked of the folder, which nobody has named', async () => {
  const paths = ['ask/a.enc.ttl', 'ask/in/b.enc.ttl'];
  const contents = Object.fromEntries(paths.map((path) => [path, reading(120)]));
  const [key = randomBytes(32)] = await write(alice, contents, 'ask/');
  await allow(alice, ...paths);
  const shares = paths.map((path) => share(at(alice, path), { keys: [key] }));
  const judged = async (more: Rule[]) => {
    await setRules(alice, 'ask/', () => more);
    const { outcomes, warnings } = await readOne(alice, shares);
    expect(warnings.filter((warning) => warning.startsWith(`${at(alice, 'ask/')}:`))).toEqual([]);
    return outcomes;
  };
  const counted = { 'a.enc.ttl': readBy(key), 'b.enc.ttl': readBy(key) };
  expect(await judged([])).toEqual({ 'ask/': 'refused', ...counted });
  const open = everyoneRule(at(alice, 'ask/'), ['read']);
  const listed = { 'ask/': readBy(null), ...counted, 'b.enc.ttl': 'foreign key' };
  expect(await judged([{ ...open, default: [] }])).toEqual(listed);
  const writable = everyoneRule(at(alice, 'ask/'), ['read', 'append']);
  expect(await judged([{ ...writable, default: [] }])).toEqual({
    'ask/': 'writable',
    'a.enc.ttl': 'writable',
    'b.enc.ttl': 'writable',
  });
});

test('[5.5] a new file that does not count in the end takes no readings of known files from the chart', async () => {
  const [own = randomBytes(32)] = await write(bob, { 'full/own.enc.ttl': reading(120) });
  // Later ones, in an export further in that was not shared and that a stranger has named.
  const later = '{"timestamp":"2026-04-01T08:00:00","systolic":200,"diastolic":99}';
  const exported = at(bob, 'full/in/all.enc.ttl');
  await putDocument(bob.client, exported, `[${Array(30_000).fill(later).join()}]`, plain);
  await allow(bob, 'full/');
  const shares = [
    share(at(bob, 'full/'), { keys: [own] }),
    share(at(bob, 'full/own.enc.ttl'), { keys: [own], isKnown: true }),
    share(exported),
  ];
  const [result] = await read([tableOf(ownerOf(bob), shares)], { served: [bob.pod.webId] });
  expect(result && outcomesOf(result)).toMatchObject({ 'all.enc.ttl': 'unproven' });
  expect(result?.readings).toMatchObject([{ systolic: 120 }]);
  expect(result?.recent).toMatchObject({ readings: 1 });
});

test('[5.13] Pods that strangers have made up push out no new files of a known one, in run-once neither', async () => {
  const asked: string[] = [];
  const reader: PartReader = {
    filesPerPart: () => 1,
    readPart: (files) => {
      asked.push(...files.map(({ owner }) => owner.root));
      return Promise.resolve(files.map(() => notRead('no key', '')));
    },
  };
  const { root } = alice.pod;
  const madeUp = Array.from({ length: 200 }, (_, index) => {
    const owner = { ...ownerOf(alice), root: `${root}${index}/` };
    return tableOf(owner, [share(`${owner.root}a.enc.ttl`)]);
  });
  const shares = ['a', 'b', 'c', 'd', 'e'].map((name) => share(at(alice, `${name}.enc.ttl`)));
  const known = [share(at(alice, 'known.enc.ttl'), { isKnown: true }), ...shares];
  const pods = [...madeUp, tableOf(ownerOf(alice), known)];
  await readShares(analyser, pods, readTask({ served: 'everybody' }), reader);
  // Once its known file is answered, it has every second turn; 63 others were in hand by then.
  expect(asked.slice(64, 73).filter((of) => of === root)).toHaveLength(5);
});

test.each([
  // Else it would keep its owner from a result.
  ['a new file that gave no answer', 'silence', { isKnown: false }, 'silence'],
  // Else it would never count as missing, and its Pod would be carried for ever.
  ['a known file that was refused', 'refused', { isKnown: true }, 'uncertain'],
] as const)(
  '[4.4] %s stays that if the time is over when it is asked for again',
  async (_, because, known, then) => {
    const answers = [notRead(because, ''), notAsked];
    const reader: PartReader = {
      filesPerPart: () => 1,
      readPart: () => Promise.resolve([answers.shift() ?? notAsked]),
    };
    const pod = tableOf(ownerOf(alice), [share(at(alice, 'once.enc.ttl'), known)]);
    const [result] = await readShares(analyser, [pod], readTask(), reader);
    expect(answers).toEqual([]);
    expect(result && outcomesOf(result)).toEqual({ 'once.enc.ttl': then });
    expect(result).toMatchObject({ filesNotAsked: 0, isUnfinished: false });
  },
);

test('[3.4] files that a folder lists, but which are not data, and its sub-folders are left alone', async () => {
  const [key = randomBytes(32)] = await write(
    alice,
    {
      'mix/bp_1.enc.ttl': reading(120),
      'mix/weight_1.enc.ttl': reading(200),
      'mix/deep/bp_2.enc.ttl': reading(200),
    },
    'mix/',
  );
  await allow(alice, 'mix/');
  const [result] = await read(
    [tableOf(ownerOf(alice), [share(at(alice, 'mix/'), { keys: [key] })])],
    { isData: (url) => url.includes('bp_') || isFolder(url) },
  );
  expect([...(result?.rows.keys() ?? [])]).toEqual([at(alice, 'mix/bp_1.enc.ttl')]);
});
