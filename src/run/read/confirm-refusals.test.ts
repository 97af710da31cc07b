import { expect, test } from 'vitest';
import { readWith, rememberedPod, podOf as tablePodOf } from '../../../test/support/table.js';
import { mapConcurrently } from '../../base/concurrency.js';
import { ServerError } from '../../base/errors.js';
import { perhapsRefused } from '../../pod/outcome.js';
import { refusal } from '../../pod/read-resource.js';
import { limits } from '../limits.js';
import { type FileOutcome, filesOf, type Pod, type Row } from '../table/row.js';
import { PodAsker } from './ask-pod.js';
import { confirmRefusals } from './confirm-refusals.js';
import { Deadline } from './deadline.js';

const read = readWith(null);
const { signal } = new AbortController();
const asking = { deadline: new Deadline(Number.POSITIVE_INFINITY, signal) };
const rootOf = (name: string) => `https://pods.example/${name}/`;

/** A Pod of remembered files, which were refused at first. */
function podOf(name: string, files: readonly string[] = ['bp']): Pod {
  const root = rootOf(name);
  const urls = files.map((file) => `${root}app/${file}`);
  const known = rememberedPod(
    root,
    urls.map((url) => [url, null]),
  );
  const pods = new Map([[root, known]]);
  const rows = Object.fromEntries(
    urls.map((url) => [url, { mayHaveEntry: true, outcome: perhapsRefused }]),
  );
  return tablePodOf(root, rows, { pods });
}

const outcomesOf = ({ rows }: Pod) => [...rows.values()].map(({ outcome }) => outcome);

const analyser = rootOf('analyser');
const analyserDocument = `${analyser}app/encryption/enc-keys.ttl`;
const profileOf = (name: string) => `${rootOf(name)}profile/card#me`;

type Answer = number | 'silence';

/**
 * Returns what was asked for, and how many files at once. Files are refused again; `answers` has the answers, in order, of other addresses that are
 * not given, and of files that are; the last one is repeated.
 */
async function confirm(
  pod: Pod,
  answers: Record<string, readonly Answer[]>,
  isOwnServer = true,
  asker = new PodAsker(),
): Promise<{ asked: string[]; together: number[] }> {
  const asked = new Map<string, number>();
  const request = (url: string) => {
    const count = asked.get(url) ?? 0;
    asked.set(url, count + 1);
    const isFile = url.includes('/app/') && url !== analyserDocument;
    const given = answers[url] ?? [isFile ? 403 : 200];
    const status = given[Math.min(count, given.length - 1)] ?? 200;
    if (status === 'silence') {
      return Promise.reject(new ServerError('slow', 'It did not answer.', { url }));
    }
    return Promise.resolve({ status, headers: {}, body: Buffer.alloc(0), url });
  };
  const client = { request };
  const together: number[] = [];
  const readFiles = (rows: readonly Row[]) => {
    together.push(rows.length);
    return mapConcurrently(rows, 1, async ({ url }) => {
      const { status } = await request(url);
      return status === 200 ? read : refusal(status);
    });
  };
  const note = (row: Row, outcome: FileOutcome) => {
    row.outcome = outcome;
  };
  const own = isOwnServer ? analyserDocument : null;
  const how = { client, asker, analyserDocument: own, readFiles, note, asking };
  await confirmRefusals(pod, filesOf(pod), how);
  return { asked: [...asked.keys()], together };
}

/** What becomes of Bob's one file. */
async function confirmBob(answers: Record<string, readonly Answer[]> = {}, isOwnServer = true) {
  const bob = podOf('bob');
  const { asked } = await confirm(bob, answers, isOwnServer);
  return { outcome: outcomesOf(bob)[0], asked };
}

test.each([
  ['on the Analyser’s own server', true, [analyserDocument]],
  ['on another server', false, []],
])('[4.4] a refusal that comes twice ends the share, %s', async (_, isOwnServer, own) => {
  const { outcome, asked } = await confirmBob({}, isOwnServer);
  expect(outcome).toMatchObject({ because: 'refused' });
  expect(asked).toEqual([...own, profileOf('bob'), `${rootOf('bob')}app/bp`]);
});

test.each<[string, Record<string, Answer[]>]>([
  ['the profile is refused as well', { [profileOf('bob')]: [403] }],
  ['the login is rejected', { [profileOf('bob')]: [401] }],
  ['the profile is gone as well', { [profileOf('bob')]: [404] }],
  ['the profile gets no answer', { [profileOf('bob')]: ['silence'] }],
  ['the profile is refused the second time', { [profileOf('bob')]: [200, 403] }],
  ['the Analyser’s own document is refused', { [analyserDocument]: [403] }],
  ['the Analyser’s own document is refused the second time', { [analyserDocument]: [200, 403] }],
])('[4.4] where %s, nothing is certain', async (_, answers) => {
  expect((await confirmBob(answers)).outcome).toMatchObject({ because: 'uncertain' });
});

test('[4.4] of several files, those are uncertain after which the profile is not given, whatever is given beside them', async () => {
  const bob = podOf('bob', ['alone', 'given', 'late']);
  await confirm(bob, {
    [`${rootOf('bob')}app/given`]: [200],
    [profileOf('bob')]: [200, 200, 403],
  });
  expect(outcomesOf(bob)).toMatchObject([{ because: 'refused' }, read, { because: 'uncertain' }]);
});

test('of many, one is confirmed alone and then some together, as long as the profile is given', async () => {
  const files = Array.from({ length: 66 }, (_, nth) => `${nth}`);
  const all = await confirm(podOf('bob', files), {});
  expect(all.together).toEqual([1, 64, 1]);
  const [some, none] = [
    [200, 200, 403],
    [200, 403],
  ];
  expect((await confirm(podOf('bob', files), { [profileOf('bob')]: some })).together).toEqual([
    1, 64,
  ]);
  expect((await confirm(podOf('bob', files), { [profileOf('bob')]: none })).together).toEqual([1]);
});

test('[4.11] profiles without an answer give their Pod up', async () => {
  const asker = new PodAsker();
  const ask = async () => {
    const answers: Record<string, Answer[]> = { [profileOf('bob')]: ['silence'] };
    return (await confirm(podOf('bob'), answers, false, asker)).asked;
  };
  for (let count = 0; count < limits.silences; count += 1)
    expect(await ask()).toEqual([profileOf('bob')]);
  expect(await ask()).toEqual([]);
});

test('without an answer about the Analyser’s own document, the storage server has gone', async () => {
  const answers: Record<string, Answer[]> = { [analyserDocument]: ['silence'] };
  await expect(confirmBob(answers)).rejects.toThrow('It did not answer.');
});

test('[4.4] a file that is given the second time counts', async () => {
  const file = `${rootOf('bob')}app/bp`;
  expect((await confirmBob({ [file]: [200] })).outcome).toEqual(read);
});
