import { expect, test } from 'vitest';
import { readWith, rememberedPod, podOf as tablePodOf } from '../../../test/support/table.js';
import { ServerError } from '../../base/errors.js';
import { notRead } from '../../pod/outcome.js';
import { refusal } from '../../pod/read-resource.js';
import type { FileOutcome, Pod } from '../table/row.js';
import { PodAsker } from './ask-pod.js';
import { confirmRefusals } from './confirm-refusals.js';
import { Deadline } from './deadline.js';
import type { PodRow } from './reading-order.js';

const read = readWith(null);
const refused = notRead('refused', 'it may no longer be read');
const { signal } = new AbortController();
const deadline = new Deadline(Number.POSITIVE_INFINITY, signal);
const rootOf = (name: string) => `https://pods.example/${name}/`;

/** A Pod of remembered files, which the first look gave or refused. */
function podOf(name: string, outcome: FileOutcome, files: readonly string[] = ['bp']): Pod {
  const root = rootOf(name);
  const urls = files.map((file) => `${root}app/${file}`);
  const known = rememberedPod(
    root,
    urls.map((url) => [url, null]),
  );
  const pods = new Map([[root, known]]);
  const rows = Object.fromEntries(urls.map((url) => [url, { hasEntry: true, outcome }]));
  return tablePodOf(root, rows, { pods });
}

const outcomesOf = ({ rows }: Pod) => [...rows.values()].map(({ outcome }) => outcome);

const analyser = rootOf('analyser');
const analyserDocument = `${analyser}app/encryption/enc-keys.ttl`;
const profileOf = (name: string) => `${rootOf(name)}profile/card#me`;

type Answer = number | 'silence';

/**
 * Returns what was asked for. Files are refused again; `answers` has the answers, in order, of other addresses that are
 * not given, and of files that are; the last one is repeated. Each waits for `isReady`.
 */
async function confirm(
  pods: readonly Pod[],
  answers: Record<string, readonly Answer[]>,
  isOwnServer = true,
  isReady: (url: string, count: number) => Promise<void> | void = () => undefined,
): Promise<string[]> {
  const asked = new Map<string, number>();
  const request = async (url: string) => {
    const count = asked.get(url) ?? 0;
    asked.set(url, count + 1);
    await isReady(url, count);
    const isFile = url.includes('/app/') && url !== analyserDocument;
    const given = answers[url] ?? [isFile ? 403 : 200];
    const status = given[Math.min(count, given.length - 1)] ?? 200;
    if (status === 'silence') throw new ServerError('slow', 'It did not answer.', { url });
    return { status, headers: {}, body: Buffer.alloc(0), url };
  };
  const client = { request };
  const asker = new PodAsker();
  const readFiles = async (items: readonly PodRow[]) => {
    for (const { row } of items) {
      const { status } = await request(row.url);
      row.outcome = status === 200 ? read : refusal(status);
    }
  };
  const own = isOwnServer ? analyserDocument : null;
  await confirmRefusals(pods, { client, asker, analyserDocument: own, readFiles, deadline });
  return [...asked.keys()];
}

/** What becomes of Bob's one file. */
async function bobBesides(
  names: readonly string[],
  answers: Record<string, readonly Answer[]> = {},
  isOwnServer = true,
) {
  const bob = podOf('bob', refused);
  const others = names.map((name) => podOf(name, read));
  const asked = await confirm([...others, bob], answers, isOwnServer);
  return { outcome: outcomesOf(bob)[0], asked };
}

test.each([
  ['on the Analyser’s own server', true, [analyserDocument]],
  ['on another server', false, []],
])('a refusal that comes twice ends the share, %s', async (_, isOwnServer, own) => {
  const { outcome, asked } = await bobBesides(['alice'], {}, isOwnServer);
  expect(outcome).toMatchObject({ because: 'refused' });
  expect(asked).toEqual([...own, profileOf('bob'), `${rootOf('bob')}app/bp`]);
});

test('a Pod whose every file is refused is believed, whoever else is there', async () => {
  expect((await bobBesides([])).outcome).toMatchObject({ because: 'refused' });
});

test.each<[string, Record<string, Answer[]>]>([
  ['the profile is refused as well', { [profileOf('bob')]: [403] }],
  ['the login is rejected', { [profileOf('bob')]: [401] }],
  ['the profile is gone as well', { [profileOf('bob')]: [404] }],
  ['the profile gets no answer', { [profileOf('bob')]: ['silence'] }],
  ['the profile is refused the second time', { [profileOf('bob')]: [200, 403] }],
  ['the Analyser’s own document is refused', { [analyserDocument]: [403] }],
  ['the Analyser’s own document is refused the second time', { [analyserDocument]: [200, 403] }],
])('where %s, nothing is certain', async (_, answers) => {
  expect((await bobBesides(['alice'], answers)).outcome).toMatchObject({ because: 'uncertain' });
});

test('of several files, those are uncertain after which the profile is not given, whatever is given beside them', async () => {
  const bob = podOf('bob', refused, ['alone', 'given', 'late']);
  await confirm([bob], {
    [`${rootOf('bob')}app/given`]: [200],
    [profileOf('bob')]: [200, 200, 403],
  });
  expect(outcomesOf(bob)).toMatchObject([{ because: 'refused' }, read, { because: 'uncertain' }]);
});

test('a folder is not asked again: what becomes of it ends no share', async () => {
  const root = rootOf('bob');
  const folder = `${root}app/data/`;
  const known = rememberedPod(root, [[folder, null]]);
  const pod = tablePodOf(
    root,
    { [folder]: { outcome: refused } },
    { pods: new Map([[root, known]]) },
  );
  expect(await confirm([pod], {})).toEqual([]);
});

test('without an answer about the Analyser’s own document, the storage server has gone', async () => {
  const answers: Record<string, Answer[]> = { [analyserDocument]: ['silence'] };
  await expect(bobBesides(['alice'], answers)).rejects.toThrow('It did not answer.');
});

test('what others do with their files and profiles decides nothing', async () => {
  const names = ['0', 'alice', 'mallory', 'zed'];
  const answers = names.flatMap((name, index): [string, Answer[]][] => [
    [`${rootOf(name)}app/bp`, [index % 2 === 0 ? 403 : 'silence']],
    [profileOf(name), [403]],
  ]);
  const { outcome, asked } = await bobBesides(names, Object.fromEntries(answers));
  expect(outcome).toMatchObject({ because: 'refused' });
  expect(asked.filter((url) => names.some((name) => url.startsWith(rootOf(name))))).toEqual([]);
});

test('nobody waits for the profile of somebody else', async () => {
  const pods = ['alice', 'bob'].map((name) => podOf(name, refused));
  let release: () => void = () => undefined;
  const bobIsDone = new Promise<void>((resolve) => {
    release = resolve;
  });
  await confirm(pods, {}, true, async (url, count) => {
    if (url === profileOf('alice')) await bobIsDone;
    if (url === profileOf('bob') && count === 1) release();
  });
  expect(pods.flatMap(outcomesOf)).toMatchObject([{ because: 'refused' }, { because: 'refused' }]);
});

test('what was never read is not asked for again, so that entries without end cost no requests', async () => {
  const pod = tablePodOf(rootOf('bob'), { [`${rootOf('bob')}app/bp`]: { outcome: refused } });
  expect(await confirm([pod], {})).toEqual([]);
  expect(outcomesOf(pod)).toEqual([refused]);
});

test('a file that is given the second time counts', async () => {
  const file = `${rootOf('bob')}app/bp`;
  expect((await bobBesides([], { [file]: [200] })).outcome).toEqual(read);
});
