import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { unobserved } from '../../src/run/observer.js';
import type { DrawChart } from '../../src/run/publish/draw-picture.js';
import type { AnalysisQueue } from '../../src/service/analysis-queue.js';
import { AnalysisThread } from '../../src/service/analysis-thread.js';
import { startAnalyses } from '../../src/service/start-analyses.js';
import { Call, Turn } from '../../src/service/turn.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { readStateMarker } from '../../src/store/state.js';
import { askTogether } from '../support/ask-together.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { noLog } from '../support/no-log.js';
import {
  checkResults,
  cohortAddress,
  collectCohort,
  collectOwn,
  ownResultAddress,
} from '../support/published.js';
import { recordRequests } from '../support/recording-client.js';
import { silentThread } from '../support/silent-thread.js';
import { snapshotPods, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';
import { noCharts, startTestRuns, type TestRuns } from '../support/test-runs.js';
import { heldInTest } from '../support/unlimited-queue.js';

const server = sharedSolidServer();
let runs: TestRuns;

const analyser = await createInitialisedPod(server);
const anna = await createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70]));
const ben = await createContributor(server, analyser, weekly([110, 70, 50]));
/** Shares nothing. */
const nobody = await createInitialisedPod(server);
const all = [analyser, anna, ben, nobody];

beforeEach(async () => {
  runs = await startTestRuns(server, analyser, noCharts);
});

const webIds = (...people: InitialisedPod[]) => people.map(({ pod }) => pod.webId);

async function runDocument(runId: string) {
  const path = join(runs.config.output.results_dir, `run-${runId}.json`);
  return checkResults(JSON.parse(await readFile(path, 'utf8')));
}

test('[7.3][0.1] callers together are each told their own, and everything is read once', async () => {
  const client = recordRequests(analyser.client);
  const replies = await askTogether(runs, webIds(anna, ben, nobody, anna), { client });
  expect(replies.map(({ status, published }) => [status, published])).toEqual([
    ['COMPLETED', true],
    ['COMPLETED', true],
    ['NO_DATA', false],
    ['COMPLETED', true],
  ]);
  expect(replies.map(({ observation_count }) => observation_count)).toEqual([2, 1, 0, 2]);
  // The calls of one Pod share one run document; one of whom nothing is known has none.
  const [ofAnna, ofBen, ofNobody, again] = replies.map(({ run_id }) => run_id);
  expect(again).toBe(ofAnna);
  expect(ofBen).not.toBe(ofAnna);
  expect(ofNobody).toBe('');
  const times = replies.map(({ generated_at }) => generated_at);
  const [generatedAt] = times;
  expect(new Set(times)).toEqual(new Set([generatedAt]));
  const files = Object.keys(await takeSnapshot(runs.config.output.results_dir));
  expect(files.filter((name) => name.startsWith('run-')).sort()).toEqual(
    [ofAnna, ofBen].map((runId) => `run-${runId}.json`).sort(),
  );

  for (const [person, systolic] of [
    [anna, 125],
    [ben, 110],
  ] as const) {
    const own = await collectOwn(analyser, person);
    expect(own).toMatchObject({ generated_at: generatedAt, average: { systolic } });
    expect(own.cohort.average_of_averages.systolic).toBe(117.5);
    const cohort = await collectCohort(analyser, person);
    expect(cohort).toMatchObject({ generated_at: generatedAt, cohort: own.cohort });
  }
  for (const [runId = '', person] of [
    [ofAnna, anna],
    [ofBen, ben],
  ] as const) {
    const { requested_by, sharing } = await runDocument(runId);
    expect(requested_by).toBe(person.pod.webId);
    const readers = new Set(sharing.published.flatMap(({ recipients }) => recipients));
    expect([...readers]).toEqual([requested_by]);
  }
  const latest = await readFile(join(runs.config.output.results_dir, 'latest.json'), 'utf8');
  expect(JSON.parse(latest)).toMatchObject({
    run_id: [ofAnna, ofBen].sort().at(-1),
  });

  const asked = (method: string, url: string) =>
    client.requests.filter((one) => one.method === method && one.url === url).length;
  for (const url of [...anna.urls, ...ben.urls]) expect(asked('GET', url)).toBe(1);
  expect(asked('GET', analyser.pod.documents.sharedKeys)).toBe(1);
  // Two calls of one WebID are one publication.
  expect(asked('PUT', ownResultAddress(analyser, anna))).toBe(1);
  expect(asked('PUT', cohortAddress(analyser))).toBe(1);
});

test('[0.11] a Cancel that comes while a chart is drawn ends the analysis before the next chart', async () => {
  const callers = webIds(anna, ben);
  let queue: AnalysisQueue | null = null;
  let drawn = 0;
  const drawChart: DrawChart = () => {
    drawn += 1;
    // A message of the main thread does not get through before the drawing has ended.
    setImmediate(() => {
      for (const webId of callers) queue?.cancel(webId);
    });
    return Promise.resolve(Buffer.from('a picture'));
  };
  const onQueue = (given: AnalysisQueue) => {
    queue = given;
  };
  const drawing = await startTestRuns(server, analyser);
  const reports = await askTogether(drawing, callers, { tools: { drawChart }, onQueue });
  expect(reports.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
  expect(drawn).toBe(1);
});

test('an observer sees all own results, then the cohort document, then one hand-over and one log line each', async () => {
  const client = recordRequests(analyser.client);
  await askTogether(runs, webIds(anna, ben), { client });
  const order = client.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, url }) => `${method} ${url}`);
  const once = (request: string) => {
    expect(
      order.filter((one) => one === request),
      request,
    ).toHaveLength(1);
    return order.indexOf(request);
  };
  const cohort = once(`PUT ${cohortAddress(analyser)}`);
  const ownLog = once(`PATCH ${analyser.pod.documents.permissionsLog}`);
  for (const person of [anna, ben]) {
    const { sharedKeys, permissionsLog } = person.pod.documents;
    const places = [
      once(`PUT ${ownResultAddress(analyser, person)}`),
      cohort,
      once(`PATCH ${sharedKeys}`),
      once(`PATCH ${permissionsLog}`),
      ownLog,
    ];
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  }
});

/** What the thread of the analyses is started with. */
function dataOfThread() {
  return silentThread(runs.config, { securityKey: analyser.securityKey, ...analyser.account });
}

test('[0.11] the thread of the analyses publishes nothing for a call that was cancelled', async () => {
  const data = dataOfThread();
  const { queue, stop } = await startAnalyses({ data, env: {}, log: noLog, observe: unobserved });
  const before = await snapshotPods([ben]);
  const call = ({ pod: { webId } }: InitialisedPod, onTurn = (): void => undefined) =>
    queue.enqueue({ webId, onTurn }, new AbortController().signal);
  // The first has its turn alone; the thread is given the others together, one of them cancelled by then.
  const cancelBen = () => queueMicrotask(() => queue.cancel(ben.pod.webId));
  const replies = await Promise.all([call(nobody), call(anna, cancelBen), call(ben)]);
  await queue.whenEmpty();
  await stop();
  expect(replies.map(({ status }) => status)).toEqual(['NO_DATA', 'COMPLETED', 'CANCELLED']);
  expect(await snapshotPods([ben])).toEqual(before);
});

test('[0.5][0.10][0.11] the thread of the analyses writes nothing after a Cancel, without the lock, or when it is to end', async () => {
  const newcomer = await createContributor(server, analyser, weekly([140, 85, 65]));
  const logFile = join(await newFolder(), 'log');
  const log = await open(logFile, 'w');
  const data = { ...dataOfThread(), logTo: log.fd };
  const thread = new AnalysisThread({ data, env: {}, log: noLog, observe: unobserved });
  await thread.start();
  const before = await snapshotPods([...all, newcomer]);
  const analyse = (turn: Turn, requireLock = () => Promise.resolve()) => {
    turn.hold({ ...heldInTest, runIds: ['20260819T091500Z'], requireLock });
    return { turn, ended: thread.analyse(turn, () => undefined) };
  };
  const call = () => new Call(newcomer.pod.webId);
  const cancelled = analyse(new Turn([call()]));
  cancelled.turn.cancelAll('cancel');
  await expect(cancelled.ended).rejects.toMatchObject({ kind: 'cancelled' });
  const isGone = () => Promise.reject(new Error('The lock is gone.'));
  const unlocked = analyse(new Turn([call()]), isGone);
  await expect(unlocked.ended).rejects.toThrow('The lock is gone.');
  class EndingTurn extends Turn {
    override async commit() {
      const calls = await super.commit();
      this.endWriting();
      return calls;
    }
  }
  const ending = analyse(new EndingTurn([call()]));
  await ending.ended;
  expect(ending.turn.reports).toMatchObject([{ status: 'COMPLETED', published: false }]);
  await thread.shutDown();
  expect(await snapshotPods([...all, newcomer])).toEqual(before);
  // The operator is told what concerns everybody.
  await log.close();
  expect(await readFile(logFile, 'utf8')).toContain('was not remembered');
});

test('[0.6] the time limit fails all of a turn, and nothing is written', async () => {
  const before = await snapshotPods(all);
  const client: SolidClient = {
    ...analyser.client,
    request: (url, options) =>
      new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new Error(`aborted ${url}`)));
      }),
  };
  const replies = await askTogether(runs, webIds(anna, ben), { client, timeoutSeconds: 0.2 });
  const message = 'The analysis took too long and was abandoned.';
  expect(replies).toMatchObject([
    { status: 'FAILED', message },
    { status: 'FAILED', message },
  ]);
  expect(await snapshotPods(all)).toEqual(before);
  expect(await readStateMarker(runs.config.output.state_dir)).toMatchObject({
    last_run: { run_id: null, status: 'FAILED', message },
  });
});
