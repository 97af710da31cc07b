import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerError } from '../../src/base/errors.js';
import { formatLogLine } from '../../src/pod/sharing/permissions-log.js';
import { vocabulary as v } from '../../src/pod/vocabulary.js';
import { readTurtle } from '../../src/solid/documents/read-turtle.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { askTogether } from '../support/ask-together.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { cohortAddress, ownResultAddress } from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let anna: InitialisedPod;
let ben: InitialisedPod;
let runs: TestRuns;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  anna = await createContributor(server, analyser, weekly([120, 80, 60]));
  ben = await createContributor(server, analyser, weekly([130, 90, 70]));
  runs = await startTestRuns(server, analyser, { output: { render_charts: false } });
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser, anna, ben].map((one) => one.close()));
});

/** The grants in a log, without their times. */
async function grantsIn({ client, pod }: InitialisedPod): Promise<string[]> {
  const url = pod.documents.permissionsLog;
  const document = readTurtle((await client.request(url)).body, url);
  return [...document.subjects()]
    .flatMap((subject) => document.literals(subject, v.log))
    .map((line) => line.replace(/^<\d{8}T\d{6}/, '<'))
    .filter((line) => line.includes(`;grant;${analyser.pod.webId};`))
    .sort();
}

const grantsTo = (...readers: InitialisedPod[]) =>
  readers
    .flatMap((reader) =>
      [ownResultAddress(analyser, reader), cohortAddress(analyser)].map((resourceUrl) =>
        formatLogLine({
          time: new Date(),
          resourceUrl,
          ownerWebId: analyser.pod.webId,
          action: 'grant',
          granterWebId: analyser.pod.webId,
          recipientWebId: reader.pod.webId,
          modes: ['read'],
        }).replace(/^<\d{8}T\d{6}/, '<'),
      ),
    )
    .sort();

test('what could not be written into the own log is missing there, and costs nobody anything', async () => {
  const { permissionsLog } = analyser.pod.documents;
  const closed: SolidClient = {
    ...analyser.client,
    request(url, options) {
      if (url !== permissionsLog) return analyser.client.request(url, options);
      const message = `${url} answered HTTP 507.`;
      return Promise.reject(new ServerError('refused', message, { url, status: 507 }));
    },
  };
  const people = [anna, ben].map(({ pod }) => pod.webId);
  const replies = await askTogether(runs, people, { client: closed });
  expect(replies.map(({ status, published }) => [status, published])).toEqual([
    ['COMPLETED', true],
    ['COMPLETED', true],
  ]);
  expect(await grantsIn(analyser)).toEqual([]);
  // A reader's log has its lines whatever becomes of the Analyser's.
  expect(await grantsIn(anna)).toEqual(grantsTo(anna));

  await runs.ask(anna);
  expect(await grantsIn(analyser)).toEqual(grantsTo(anna));
});

test('the last answer leaves when the own log is written too', async () => {
  let isLogged = false;
  const client: SolidClient = {
    ...analyser.client,
    async request(url, options) {
      const answer = await analyser.client.request(url, options);
      const isLog = url === analyser.pod.documents.permissionsLog;
      isLogged ||= isLog && options?.method === 'PATCH';
      return answer;
    },
  };
  const wasLogged: boolean[] = [];
  const onAnswer = () => wasLogged.push(isLogged);
  const people = [anna, ben].map(({ pod }) => pod.webId);
  await askTogether(runs, people, { client, onAnswer });
  expect(wasLogged.at(-1)).toBe(true);
});

test('a caller whose own document cannot be written has no access to that of the cohort, and the others have', async () => {
  const url = ownResultAddress(analyser, anna);
  const full: SolidClient = {
    ...analyser.client,
    request(asked, options) {
      if (asked !== url || options?.method !== 'PUT')
        return analyser.client.request(asked, options);
      const message = `${url} answered HTTP 507.`;
      return Promise.reject(new ServerError('refused', message, { url, status: 507 }));
    },
  };
  const people = [anna, ben].map(({ pod }) => pod.webId);
  expect((await anna.client.request(cohortAddress(analyser))).status).toBe(200);
  const [first, second] = await askTogether(runs, people, { client: full });
  expect(first).toMatchObject({ status: 'COMPLETED', published: false });
  expect(second).toMatchObject({ status: 'COMPLETED', published: true });
  expect((await anna.client.request(cohortAddress(analyser))).status).toBe(403);
  expect((await ben.client.request(cohortAddress(analyser))).status).toBe(200);
});
