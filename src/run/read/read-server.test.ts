import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askingTimes, doubleServer, howToRead } from '../../../test/support/double-server.js';
import { podAt } from '../../../test/support/scripted-reading.js';
import { type GivenRow, podOf, readWith, rememberedPod } from '../../../test/support/table.js';
import { wait } from '../../../test/support/wait.js';
import { ServerError } from '../../base/errors.js';
import { isFolder } from '../../pod/addresses.js';
import { type NotRead, notAsked, notRead } from '../../pod/outcome.js';
import { refusal } from '../../pod/read-resource.js';
import { askedOf, type FileOutcome, type Pod } from '../table/row.js';
import { readServer, type ServerTools } from './read-server.js';

const server = 'https://pods.example';
const root = `${server}/anna/`;
const folder = `${root}app/data/`;
const file = (name: string) => `${folder}${name}.enc.ttl`;
const profile = `${root}profile/card#me`;
const ownDocument = `${server}/analyser/app/encryption/enc-keys.ttl`;

const read = readWith(null);
const refused = refusal(403);
const silence = notRead('silence', 'the storage server gave no answer');
const slow = new ServerError('slow', 'It did not answer.', { url: server });

const readAll = (
  pods: readonly Pod[],
  { tools }: { tools: ServerTools },
  how?: Parameters<typeof howToRead>[0],
) => readServer(pods, tools, howToRead(how));

/** Anna's Pod; `known` was read before. */
function annas(rows: Readonly<Record<string, GivenRow>>, known: readonly string[] = []): Pod {
  const remembered = rememberedPod(
    root,
    known.map((url) => [url, null]),
  );
  return podOf(
    root,
    rows,
    known.length === 0 ? undefined : { pods: new Map([[root, remembered]]) },
  );
}

const becauseOf = (pod: Pod) =>
  Object.fromEntries(
    askedOf(pod).map(({ url, outcome }) => [
      url.slice(folder.length),
      outcome.kind === 'not read' ? outcome.because : outcome.kind,
    ]),
  );

const counted = (asked: readonly string[], url: string) =>
  asked.filter((one) => one === url).length;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a file is read', () => {
  const [key, keyOfFolder] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const others = { mayHaveEntry: true, keys: [keyOfFolder] };

  test.each<[string, Record<string, GivenRow>, string[], object]>([
    ['known, with its own key', { [file('1')]: { keys: [key] } }, [file('1')], { isKnown: true }],
    [
      'named by an entry',
      { [file('1')]: { keys: [key], mayHaveEntry: true } },
      [],
      { isNamed: true, isServed: true },
    ],
    [
      'in a folder that lists it, with the keys of the folder',
      { [folder]: others, [file('1')]: { keys: [key] } },
      [],
      { isNamed: true, folder: { url: folder, keys: [keyOfFolder] } },
    ],
  ])('%s', async (_, rows, known, expected) => {
    const pod = annas(rows, known);
    const { owner } = pod;
    const served = 'isServed' in expected ? [owner.webId] : [];
    const double = doubleServer({ page: () => ['1.enc.ttl'] }, { served });
    await readAll([pod], double);
    const rest = { folder: null, isNamed: false, isKnown: false, isServed: false };
    expect(double.parts.map(({ files }) => files)).toEqual([
      [{ url: file('1'), owner, keys: [key], ...rest, ...expected }],
    ]);
    expect(pod.rows.get(file('1'))?.outcome).toEqual(read);
  });

  test('with others in one part, as many as its reader wants', async () => {
    const wanted: number[] = [];
    const double = doubleServer({ filesPerPart: (files) => wanted.push(files) && 2 });
    double.tools.progress.all = 5;
    await readAll([podAt(root, { fresh: 5 })], double);
    expect(double.parts.map(({ files }) => files.length)).toEqual([2, 2, 1]);
    expect(new Set(wanted)).toEqual(new Set([5]));
    expect(double.tools.progress).toEqual({ read: 5, all: 5 });
  });

  test('or was not asked, if its reader says nothing of it', async () => {
    const double = doubleServer();
    double.tools.reader.readPart = () => Promise.resolve([]);
    const pod = podAt(root, { fresh: 1 });
    await readAll([pod], double);
    expect(becauseOf(pod)).toEqual({ [file('new0').slice(folder.length)]: 'not asked' });
  });
});

describe('a folder', () => {
  const names = ['1.enc.ttl', '2.enc.ttl', 'note.txt'];
  const given = { [folder]: { mayHaveEntry: true }, [file('1')]: { mayHaveEntry: true } };

  test('[3.4] brings the files that it lists and that are data, which are read as well', async () => {
    const pod = annas(given);
    const double = doubleServer({ page: () => names });
    double.tools.progress.all = 1;
    await readAll([pod], double);
    expect(becauseOf(pod)).toEqual({ '': 'listed', '1.enc.ttl': 'read', '2.enc.ttl': 'read' });
    expect([...pod.rows.values()].map(({ isListed }) => isListed)).toEqual([true, true]);
    expect(double.tools.progress).toEqual({ read: 2, all: 2 });
  });

  test.each<[string, GivenRow, readonly string[] | number]>([
    ['that cannot be listed', { mayHaveEntry: true }, 401],
    ['that nobody named', {}, names],
  ])('%s brings none', async (_, row, page) => {
    const pod = annas({ ...given, [folder]: row });
    await readAll([pod], doubleServer({ page: () => page }));
    expect([...pod.rows.keys()]).toEqual([file('1')]);
    expect(pod.rows.get(file('1'))).toMatchObject({ outcome: read, isListed: page === names });
  });

  test('[T10] that others may write to tells which files it lists, and brings none', async () => {
    const pod = annas(given);
    const double = doubleServer({ page: () => names });
    const { client } = double.tools.connection;
    const request = client.request.bind(client);
    client.request = async (url, how) => ({
      ...(await request(url, how)),
      headers: { 'wac-allow': 'user="read write",public="read"' },
    });
    await readAll([pod], double);
    expect([...pod.rows.keys()]).toEqual([file('1')]);
    expect(pod.rows.get(file('1'))?.isListed).toBe(true);
    expect(pod.folders.get(folder)).toMatchObject({
      outcome: { because: 'writable' },
      openTo: 'everybody',
    });
  });

  test('[4.8] from which a new file takes its key is listed, whoever names it', async () => {
    const pod = annas({ [file('1')]: { mayHaveEntry: true } });
    const double = doubleServer({ page: () => names, file: () => readWith(null, folder) });
    await readAll([pod], double);
    expect(double.asked).toEqual([file('1'), folder]);
    expect(pod.rows.get(file('1'))?.isListed).toBe(true);
    expect([...pod.rows.keys()]).toEqual([file('1')]);
  });
});

describe('what is asked for a second time', () => {
  test.each<[string, string, 'known' | 'new', NotRead | FileOutcome, number]>([
    ['a file without an answer', file('1'), 'new', silence, 2],
    ['a file without an answer', file('1'), 'known', silence, 1],
    ['a file that was refused', file('1'), 'new', refused, 1],
    ['a file that was given', file('1'), 'new', read, 1],
    ['a folder without an answer', folder, 'new', silence, 2],
    ['a folder without an answer', folder, 'known', silence, 2],
    ['a folder that was refused', folder, 'new', refused, 1],
    ['a folder that was refused', folder, 'known', refused, 2],
    ['a folder that was listed', folder, 'known', read, 1],
  ])('%s (%s, %s)', async (_, url, age, outcome, times) => {
    const pod = annas({ [url]: { mayHaveEntry: true } }, age === 'known' ? [url] : []);
    const page = outcome === silence ? slow : outcome === refused ? 403 : [];
    // The second time it is given.
    const double = doubleServer({
      page: (_url, nth) => (nth === 0 ? page : []),
      file: (_file, nth) => (nth === 0 ? outcome : read),
    });
    await readAll([pod], double);
    expect(counted(double.asked, url)).toBe(times);
    const given = isFolder(url) ? 'listed' : 'read';
    const first = outcome.kind === 'read' ? given : outcome.because;
    expect(Object.values(becauseOf(pod))).toEqual([times === 2 ? given : first]);
    // It is no progress.
    expect(double.tools.progress.read).toBe(isFolder(url) ? 0 : 1);
  });

  test('of a folder, its files are read', async () => {
    const pod = annas({ [folder]: { mayHaveEntry: true } });
    const double = doubleServer({ page: (_, nth) => (nth === 0 ? slow : ['1.enc.ttl']) });
    await readAll([pod], double);
    expect(becauseOf(pod)).toEqual({ '': 'listed', '1.enc.ttl': 'read' });
  });

  test.each([folder, file('1')])(
    'and there is no time for keeps its first answer: %s',
    async (url) => {
      const pod = annas({ [url]: { mayHaveEntry: true } });
      const time = askingTimes();
      const double = doubleServer({
        page: (_, nth, { signal = time.stop }) => {
          if (nth === 0) return slow;
          time.confirming.end();
          return wait(Number.POSITIVE_INFINITY, signal).then(() => 200);
        },
        file: (_, nth) => (nth === 0 ? silence : notAsked),
      });
      await readAll([pod], double, { time });
      expect(counted(double.asked, url)).toBe(2);
      expect(Object.values(becauseOf(pod))).toEqual(['silence']);
    },
  );

  test('the last reason why nothing was asked is kept', async () => {
    const why = notRead('not asked', 'it holds too much');
    const pod = podAt(root, { fresh: 1 });
    await readAll([pod], doubleServer({ file: () => why }));
    expect([...pod.rows.values()].map(({ outcome }) => outcome)).toEqual([why]);
  });
});

describe('a refusal', () => {
  const known = [file('1'), file('2')];
  const rows = { [file('1')]: { mayHaveEntry: true }, [file('2')]: { mayHaveEntry: true } };

  test.each([
    [undefined, [profile]],
    [ownDocument, [ownDocument, profile]],
  ])(
    '[4.4] of what was read before is confirmed, beside %s',
    async (analyserDocument, witnesses) => {
      const pod = annas(rows, known);
      const double = doubleServer({ file: ({ url }) => (url === file('1') ? refused : read) });
      const how = {
        time: askingTimes(),
        ...(analyserDocument !== undefined && { analyserDocument }),
      };
      await readAll([pod], double, how);
      expect(becauseOf(pod)).toEqual({ '1.enc.ttl': 'refused', '2.enc.ttl': 'read' });
      expect(double.asked).toEqual([file('1'), file('2'), ...witnesses, file('1'), ...witnesses]);
      // A quarter of what the server is asked at once.
      const again = { deadline: how.time.confirming, atOnce: 4, isAgain: true };
      expect(double.parts.at(-1)?.asking).toMatchObject(again);
    },
  );

  test.each([
    ['where nothing shows that the server works', 403, read, 'uncertain'],
    ['that there was no time to repeat', 200, notAsked, 'uncertain'],
    ['that was none the second time', 200, read, 'read'],
  ])('[4.4] %s ends no share', async (_, witness, second, expected) => {
    const pod = annas(rows, known);
    const double = doubleServer({
      page: () => witness,
      file: ({ url }, nth) =>
        url === file('1') && nth === 0 ? refused : url === file('1') ? second : read,
    });
    await readAll([pod], double);
    expect(becauseOf(pod)).toEqual({ '1.enc.ttl': expected, '2.enc.ttl': 'read' });
  });

  test('of what is new is not confirmed', async () => {
    const pod = annas({ [file('1')]: { mayHaveEntry: true } });
    const double = doubleServer({ file: () => refused });
    await readAll([pod], double);
    expect(becauseOf(pod)).toEqual({ '1.enc.ttl': 'refused' });
    expect(double.asked).toEqual([file('1')]);
  });

  test('[4.3] is confirmed when the time is over, and nothing else is asked for', async () => {
    const pod = annas({ ...rows, [file('new')]: {} }, known);
    const time = askingTimes();
    const double = doubleServer({
      file: () => {
        time.reading.end();
        return refused;
      },
    });
    await readAll([pod], double, { time, atOnce: 1 });
    expect(becauseOf(pod)).toEqual({
      '1.enc.ttl': 'refused',
      '2.enc.ttl': 'not asked',
      'new.enc.ttl': 'not asked',
    });
    expect(double.asked).toEqual([file('1'), profile, file('1'), profile]);
  });
});
