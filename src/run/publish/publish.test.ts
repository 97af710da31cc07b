import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { concludedOf, fileWith, podOfFiles } from '../../../test/support/concluded.js';
import { keysReceived, publishers, publishingOf } from '../../../test/support/publishing.js';
import { refuse } from '../../../test/support/recording-client.js';
import { keyedDigest } from '../../../test/support/table.js';
import { wait } from '../../../test/support/wait.js';
import { AnalyserError } from '../../base/errors.js';
import type { ResultsDocument } from '../../documents/results-document.js';
import { emptyMemory } from '../../memory/memory.js';
import { notAsked } from '../../pod/outcome.js';
import { findResourceKeys } from '../../pod/resource-keys.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { AnalysisReport } from '../analysis-report.js';
import { createAnalysisTools } from '../analysis-tools.js';
import { unobserved } from '../observer.js';
import { localPodReader } from '../read/read-shares.js';
import type { Picture } from './draw-picture.js';
import { publish } from './publish.js';

const names = ['anna', 'ben', 'cleo'] as const;
let { server, analyser, person } = await publishers(...names);
type Name = (typeof names)[number];
const [anna, ben, cleo] = [person('anna'), person('ben'), person('cleo')];
const folder = `${analyser.root}app/data/analyser/`;
const ownUrl = (name: Name) => `${folder}${person(name).podId}/bp-average.json.enc.ttl`;
const ownLog = analyser.pod.documents.permissionsLog;
const cohortUrl = `${folder}cohort/bp-cohort-average.json.enc.ttl`;

/** Who may read a document, besides the Analyser. */
const readersOf = (url: string) =>
  names.filter((name) => server.modesOf(url, person(name).webId).size > 0);
const isWrite =
  (url: string) =>
  (asked: string, { method }: { method?: string } = {}) =>
    asked === url && method === 'PUT';

/** Fails for this Pod, or at the first call. */
function failFor(name?: Name) {
  let calls = 0;
  return (podId?: string) => {
    calls += 1;
    const isMeant = name === undefined ? calls === 1 : podId === person(name).podId;
    if (isMeant) throw new Error('A fault of ours.');
  };
}

interface Given {
  callers?: readonly (Name | null)[];
  /** Whether of Cleo's files all were asked for. */
  isWhole?: boolean;
  sharing?: object;
  client?: SolidClient;
  pictures?: Partial<Record<Name, Picture>>;
  /** Called before each writing of a run document, each answer, and each recipient. */
  onStore?: (document: ResultsDocument, time: number) => void;
  onAnswer?: () => void;
  /** Null: nobody counts the recipients. */
  onRecipient?: (() => void) | null;
  onChart?: (podId: string) => void;
  /** Aborts when the service stops and its grace is over. */
  writingEnds?: AbortSignal;
}

const none: Picture = { png: null, warning: null };

/** Publishes for callers among three people, each with a file of readings; of Cleo's files one was not asked for. */
async function published({ callers = ['anna', 'ben'], isWhole = false, ...given }: Given = {}) {
  const { client = analyser.client, pictures = {}, onStore = () => undefined } = given;
  // What is published has an order of its own.
  const pods = names
    .toReversed()
    .map((name, nth) =>
      podOfFiles(name, [
        fileWith({ systolic: 110 + 10 * nth }, Buffer.from(name)),
        ...(name === 'cleo' && callers[0] !== null && !isWhole ? [notAsked] : []),
      ]),
    );
  const { config, results: analysis } = concludedOf(pods, { sections: { sharing: given.sharing } });
  const { connection, requests } = publishingOf(analyser, client);
  const runs: [ResultsDocument, boolean][] = [];
  const charts: [string, string][] = [];
  const tools = createAnalysisTools(config, unobserved, localPodReader);
  const answers = new Map<string, AnalysisReport>();
  const recipients: [number, number][] = [];
  const served = await publish(
    {
      ...tools,
      results: {
        ...tools.results,
        write(document, hasSentFigures = false) {
          onStore(document, runs.length);
          runs.push([document, hasSentFigures]);
          return Promise.resolve(`run ${document.run_id}`);
        },
      },
      charts: {
        ...tools.charts,
        write(podId, png) {
          given.onChart?.(podId);
          charts.push([podId, Buffer.from(png).toString()]);
          return Promise.resolve(`chart of ${podId}`);
        },
      },
    },
    connection,
    analysis,
    {
      before: {
        memory: emptyMemory(),
        version: 1,
        isStored: true,
        text: null,
        keyedDigest,
        replaces: { digest: null, etag: null },
        unopened: null,
        notices: [],
      },
      calls: callers.map((name) => ({
        id: `call of ${name}`,
        webId: name === null ? null : person(name).webId,
        runId: `id of ${name}`,
      })),
      answer(id, report) {
        given.onAnswer?.();
        answers.set(id, report);
      },
      writingEnds: given.writingEnds ?? new AbortController().signal,
      pictureOf: ({ owner }) => {
        const name = names.find((one) => person(one).webId === owner.webId);
        return Promise.resolve((name && pictures[name]) ?? none);
      },
      onRecipient:
        given.onRecipient === null
          ? undefined
          : (done, all) => {
              given.onRecipient?.();
              recipients.push([done, all]);
            },
    },
  );
  const answer = (name: Name | null) => answers.get(`call of ${name}`);
  return { served, answer, runs, charts, requests, recipients };
}

const keysOf = async (url: string) =>
  (await Promise.all(names.map((name) => keysReceived(person(name), url)))).map(
    (keys) => keys.length,
  );

/** What a test leaves behind touches no other. */
beforeEach(async () => {
  ({ server, analyser, person } = await publishers(...names));
  server.put(ownLog, '');
});
afterEach(() => void vi.useRealTimers());

describe('each caller', () => {
  test('[7.3] has a document of their own, that nobody else can read or open, and so has nobody who did not call', async () => {
    const { served, answer, requests } = await published();
    expect(names.map((name) => readersOf(ownUrl(name)))).toEqual([['anna'], ['ben'], []]);
    expect(readersOf(cohortUrl)).toEqual(['anna', 'ben']);
    expect(await Promise.all(names.map((name) => keysOf(ownUrl(name))))).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 0],
    ]);
    expect(await keysOf(cohortUrl)).toEqual([1, 1, 0]);
    for (const name of ['anna', 'ben'] as const) {
      const report = { status: 'COMPLETED', run_id: `id of ${name}`, result_url: ownUrl(name) };
      expect(answer(name)).toMatchObject({ ...report, published: true, isPersonal: false });
    }
    expect(served).toMatchObject({ errors: [], notices: [] });
    expect(served.runs.map(({ path }) => path)).toEqual(['run id of anna', 'run id of ben']);
    // Nothing of the Pod of somebody who did not call is asked for or written to.
    expect(requests.filter(({ url }) => url.startsWith(cleo.root))).toEqual([]);
    // The Analyser keeps the keys, and logs once for all.
    const urls = [ownUrl('anna'), ownUrl('ben'), cohortUrl];
    const kept = await findResourceKeys(analyser.client, analyser.pod, urls);
    expect([...kept.keys()].toSorted()).toEqual(urls.toSorted());
    expect(requests.filter(({ url }) => url === ownLog)).toHaveLength(1);
    expect(server.triplesOf(ownLog)).toHaveLength(4);
  });

  test('finds what was logged and kept once they are answered', async () => {
    let lines = 0;
    const client: SolidClient = {
      ...analyser.client,
      async request(url, options) {
        if (url === ownLog) await new Promise((resolve) => setTimeout(resolve, 20));
        return analyser.client.request(url, options);
      },
    };
    await published({
      callers: ['anna'],
      client,
      onAnswer: () => {
        lines = server.triplesOf(ownLog).length;
      },
    });
    expect(lines).toBe(2);
  });

  test('waits for nothing that only documents of the Analyser need', async () => {
    let answers = 0;
    let tellAnswered = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      tellAnswered = resolve;
    });
    const client: SolidClient = {
      ...analyser.client,
      async request(url, options) {
        if ([analyser.pod.documents.indKeys, ownLog].includes(url)) await answered;
        return await analyser.client.request(url, options);
      },
    };
    const { served } = await published({
      client,
      onAnswer: () => {
        answers += 1;
        if (answers === 2) tellAnswered();
      },
    });
    expect(served).toMatchObject({ errors: [], notices: [] });
    expect(server.triplesOf(ownLog)).toHaveLength(4);
  });

  test('has a run document before anything is published, and once more with what has arrived', async () => {
    let before: string[] = [];
    const { runs, recipients } = await published({
      callers: ['anna'],
      onStore: (_, time) => {
        if (time === 0) before = server.below(folder);
      },
    });
    expect(before).toEqual([]);
    expect(runs.map(([{ sharing }, hasSent]) => [sharing.published.length, hasSent])).toEqual([
      [0, false],
      [2, true],
    ]);
    expect(recipients).toEqual([[1, 1]]);
  });

  test('[5.3][8.1] is told of the unfinished reading of their own Pod, and nothing is published for them', async () => {
    const { answer, runs, requests } = await published({ callers: ['cleo'] });
    expect(answer('cleo')).toMatchObject({ status: 'FAILED', run_id: '', published: false });
    expect(answer('cleo')?.message).toContain('The analysis took too long');
    expect([runs, requests]).toEqual([[], []]);
  });

  test('[7.2] whose document cannot be written has no access to that of the cohort, and others have all of theirs', async () => {
    const client = refuse(analyser.client, isWrite(ownUrl('ben')));
    const { served, answer, runs } = await published({ client });
    expect(readersOf(cohortUrl)).toEqual(['anna']);
    expect([await keysOf(cohortUrl), await keysOf(ownUrl('ben'))]).toEqual([
      [1, 0, 0],
      [0, 0, 0],
    ]);
    expect(answer('anna')).toMatchObject({ published: true, isPersonal: false });
    expect(answer('ben')).toMatchObject({ published: false, result_url: '', isPersonal: true });
    expect(served.errors).toMatchObject([{ details: { status: 507 } }]);
    const ofBen = runs.findLast(([run]) => run.run_id === 'id of ben')?.[0];
    expect(ofBen?.warnings).toEqual([
      expect.stringContaining(`The result of ${ben.webId} was not published`),
    ]);
  });

  test('[8.4] is on record as told, though the document of the cohort could not be written', async () => {
    const client = refuse(analyser.client, isWrite(cohortUrl));
    const { runs } = await published({ callers: ['anna'], client });
    expect(runs.map(([, hasSentFigures]) => hasSentFigures)).toEqual([false, true]);
  });

  test.each<[string, () => Pick<Given, 'onChart' | 'onRecipient'>]>([
    ['picture', () => ({ onChart: failFor('anna') })],
    ['hand-over', () => ({ onRecipient: failFor() })],
  ])('fails where their %s fails, and nobody else', async (_, failing) => {
    const pictures = { anna: { png: Buffer.from('of anna'), warning: null } };
    const { served, answer } = await published({ ...failing(), pictures });
    const statuses = (['anna', 'ben'] as const).map((name) => answer(name)?.status);
    expect(statuses.toSorted()).toEqual(['COMPLETED', 'FAILED']);
    expect(served.errors).toEqual([new Error('A fault of ours.')]);
  });

  test('whose picture cannot be stored has no document, and in run-once all others have theirs', async () => {
    const pictures = { anna: { png: Buffer.from('of anna'), warning: null } };
    await published({ callers: ['anna'], pictures, onChart: failFor('anna') });
    expect([readersOf(ownUrl('anna')), server.triplesOf(ownLog)]).toEqual([[], []]);
    const { answer } = await published({ callers: [null], pictures, onChart: failFor('anna') });
    expect(answer(null)).toMatchObject({ status: 'FAILED' });
    expect(names.map((name) => readersOf(ownUrl(name)))).toEqual([[], ['ben'], ['cleo']]);
    expect([await keysOf(cohortUrl), server.triplesOf(ownLog).length]).toEqual([[0, 1, 1], 4]);
  });

  test('fails alone where their run cannot be stored, and nothing is published for them', async () => {
    const disk = new AnalyserError('disk', 'The disk is full.');
    const { served, answer } = await published({
      onStore: ({ requested_by }) => {
        if (requested_by === ben.webId) throw disk;
      },
    });
    expect(answer('anna')).toMatchObject({ status: 'COMPLETED', published: true });
    expect(answer('ben')).toMatchObject({ status: 'FAILED', run_id: '', published: false });
    expect([readersOf(ownUrl('ben')), readersOf(cohortUrl)]).toEqual([[], ['anna']]);
    expect(served.errors).toEqual([disk]);
    expect(served.runs).toHaveLength(1);
  });

  test('[8.4] has their result, and is told so, where only the second writing of the run fails', async () => {
    const { served, answer } = await published({
      callers: ['anna'],
      isWhole: true,
      onStore: (_, time) => {
        if (time === 1) throw new AnalyserError('disk', 'The disk is full.');
      },
    });
    expect(answer('anna')).toMatchObject({ status: 'COMPLETED', published: true });
    expect(answer('anna')?.message).toMatch(
      /^The run document is incomplete\. The service could not write to its own disk\./,
    );
    expect(served.errors).toHaveLength(1);
    expect(served.runs).toHaveLength(1);
  });

  test('has a picture, or the operator a warning', async () => {
    const pictures = {
      anna: { png: Buffer.from('of anna'), warning: null },
      ben: { png: null, warning: 'It could not be drawn.' },
    };
    const { charts, runs } = await published({ pictures });
    expect(charts).toEqual([[anna.podId, 'of anna']]);
    const last = (name: string) => runs.findLast(([run]) => run.run_id === `id of ${name}`)?.[0];
    expect(last('anna')?.charts.pods).toEqual({ [anna.podId]: `chart of ${anna.podId}` });
    expect(last('ben')).toMatchObject({
      charts: { pods: {} },
      warnings: ['It could not be drawn.'],
    });
  });
});

test('the service counts no recipients', async () => {
  const { answer } = await published({ callers: ['anna'], onRecipient: null });
  expect(answer('anna')).toMatchObject({ status: 'COMPLETED', published: true });
});

test.each([
  ['59 seconds, in time for a caller', 'anna', 59_000, true],
  ['61 seconds, too late for a caller', 'anna', 61_000, false],
  ['61 seconds, in time for run-once', null, 61_000, true],
] as const)('[7.5] the Analyser’s own Pod takes %s', async (_, caller, ms, isInTime) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let tellAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  const client: SolidClient = {
    ...analyser.client,
    async request(url, options = {}) {
      if (isWrite(ownUrl('anna'))(url, options)) {
        tellAsked();
        await wait(ms, options.signal);
      }
      return await analyser.client.request(url, options);
    },
  };
  const work = published({ callers: [caller], client });
  await asked;
  await vi.advanceTimersByTimeAsync(ms);
  await work;
  expect(readersOf(ownUrl('anna'))).toEqual(isInTime ? ['anna'] : []);
  // No clock runs on.
  expect(vi.getTimerCount()).toBe(0);
});

test('a fault of ours while keys are kept is thrown at the end, and stops nothing before', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const client: SolidClient = {
    ...analyser.client,
    async request(url, options) {
      if (url === analyser.pod.documents.indKeys) throw new Error('A fault of ours.');
      // So that it fails long before it is waited for.
      if (url.startsWith(anna.root)) await new Promise((resolve) => setTimeout(resolve, 5));
      return await analyser.client.request(url, options);
    },
  };
  const onAnswer = vi.fn();
  await expect(published({ client, onAnswer })).rejects.toThrow('A fault of ours.');
  process.off('unhandledRejection', unhandled);
  expect([onAnswer.mock.calls.length, unhandled.mock.calls]).toEqual([2, []]);
});

test('run-once has one run for everybody, with the results of all', async () => {
  const picture = { png: Buffer.from('a picture'), warning: null };
  const pictures = { anna: picture, ben: picture, cleo: picture };
  const { runs, answer, recipients } = await published({ callers: [null], pictures });
  expect(readersOf(cohortUrl)).toEqual(['anna', 'ben', 'cleo']);
  expect(answer(null)).toMatchObject({ status: 'COMPLETED', run_id: 'id of null' });
  const [last] = runs.at(-1) ?? [];
  const own = names.map((name) => ({ resource_url: ownUrl(name) }));
  expect(last?.sharing.published).toMatchObject([...own, { resource_url: cohortUrl }]);
  expect(Object.keys(last?.charts.pods ?? {})).toEqual([anna.podId, ben.podId, cleo.podId]);
  expect(recipients).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
});

test('where the cohort is not shared, the document of an earlier analysis is closed', async () => {
  await published();
  expect(readersOf(cohortUrl)).toEqual(['anna', 'ben']);
  const text = server.textOf(cohortUrl);
  const sharing = { share_cohort_average: false };
  const { served, runs } = await published({ sharing });
  expect([readersOf(cohortUrl), server.textOf(cohortUrl)]).toEqual([[], text]);
  expect(served.errors).toEqual([]);
  expect(runs.map(([, hasSentFigures]) => hasSentFigures)).not.toContain(true);
  // Whoever cannot close it has to know.
  await published();
  const client = refuse(analyser.client, isWrite(`${cohortUrl}.acl`));
  expect((await published({ sharing, client })).served.errors).toHaveLength(1);
});

test('without sharing nothing is asked or written, and the pictures are stored', async () => {
  const pictures = { anna: { png: Buffer.from('of anna'), warning: null } };
  const given = { pictures, sharing: { enabled: false } };
  const { served, requests, charts, answer, runs } = await published(given);
  expect(served).toMatchObject({ errors: [], notices: [] });
  expect([requests, charts.length, runs.length]).toEqual([[], 1, 4]);
  expect(answer('anna')).toMatchObject({ status: 'COMPLETED', published: false });
});

test('what cannot be kept in the Pod of the Analyser is for the operator, and results arrive', async () => {
  const { indKeys } = analyser.pod.documents;
  const client = refuse(
    analyser.client,
    (url, { method } = {}) => method === 'PATCH' && [indKeys, ownLog].includes(url),
  );
  const { served, answer } = await published({ callers: ['anna'], client });
  expect(served.notices).toEqual([
    expect.stringContaining(`could not be written to ${indKeys}`),
    expect.stringContaining(`own permission log, ${ownLog}`),
  ]);
  expect([answer('anna')?.published, served.errors]).toEqual([true, []]);
});

test('[7.1] without encryption there are no keys, and each document is for its readers alone', async () => {
  await published({ sharing: { encrypt_results: false } });
  expect(JSON.parse(server.textOf(ownUrl('anna')) ?? '')).toMatchObject({ kind: 'pod-average' });
  expect(await keysOf(ownUrl('anna'))).toEqual([0, 0, 0]);
  expect(names.map((name) => readersOf(ownUrl(name)))).toEqual([['anna'], ['ben'], []]);
});

test('[0.10] a service that stops writes nothing more to its Pod, and says so to its callers', async () => {
  const ending = new AbortController();
  const onChart = () => ending.abort();
  const pictures = { anna: { png: Buffer.from('of anna'), warning: null } };
  const { answer, requests } = await published({
    callers: ['anna'],
    writingEnds: ending.signal,
    onChart,
    pictures,
  });
  expect(answer('anna')?.message).toContain('could not be written to before the service stopped');
  expect([answer('anna')?.published, readersOf(ownUrl('anna'))]).toEqual([false, []]);
  expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});
