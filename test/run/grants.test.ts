import { expect, test } from 'vitest';
import { ServerError } from '../../src/base/errors.js';
import { vocabulary as v } from '../../src/pod/formats/vocabulary.js';
import { logLine } from '../../src/pod/sharing/permissions-log.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { readTurtle } from '../../src/solid/turtle.js';
import { askTogether } from '../support/ask-together.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { cohortAddress, collectCohort, ownResultAddress } from '../support/published.js';
import { recordRequests, refuse } from '../support/recording-client.js';
import { keysForTheApp } from '../support/rewritten-ind-keys.js';
import { snapshotPods } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, startTestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const anna = await createContributor(server, analyser, weekly([120, 80, 60]));
const ben = await createContributor(server, analyser, weekly([130, 90, 70]));
const runs = await startTestRuns(server, analyser, noCharts);

test('[7.1][7.3] a published document is open to nobody before its content is there, then to the caller alone, and stays so', async () => {
  await runs.ask(anna);
  const { requests, ...client } = recordRequests(analyser.client);
  const watched = await startTestRuns(server, analyser, noCharts, { client });
  await watched.ask(ben);
  for (const url of [ownResultAddress(analyser, ben), cohortAddress(analyser)]) {
    const own = requests.filter(
      (one) => one.method !== 'GET' && (one.url === url || one.url === `${url}.acl`),
    );
    expect(own.map(({ method, url: asked }) => `${method} ${asked}`)).toEqual([
      `PUT ${url}.acl`,
      `PUT ${url}`,
      `PUT ${url}.acl`,
    ]);
    const [first, , last] = own.map(({ body }) => body);
    for (const acl of [first, last]) {
      expect(acl).toContain(analyser.pod.webId);
      expect(acl).not.toContain(anna.pod.webId);
      expect(acl).not.toContain('http://xmlns.com/foaf/0.1/Agent');
    }
    expect(first).not.toContain(ben.pod.webId);
    expect(last).toContain(ben.pod.webId);
  }

  // Anna holds its key from her own run.
  expect((await anna.client.request(cohortAddress(analyser))).status).toBe(403);
  expect((await anna.client.request(ownResultAddress(analyser, anna))).status).toBe(200);
  expect((await anna.client.request(ownResultAddress(analyser, ben))).status).toBe(403);
  await collectCohort(analyser, ben);

  // It is not closed to its reader in between, so that no fault locks them out.
  requests.length = 0;
  await watched.ask(ben);
  const writes = requests.filter(({ method }) => method !== 'GET').map(({ url }) => url);
  for (const url of [ownResultAddress(analyser, ben), cohortAddress(analyser)]) {
    expect(writes).toContain(url);
    expect(writes).not.toContain(`${url}.acl`);
  }
});

/** The grants in a log, without their times. */
async function grantsIn({ client, pod }: InitialisedPod): Promise<string[]> {
  const url = pod.documents.permissionsLog;
  const document = await readTurtle((await client.request(url)).body, url);
  return [...document.subjects()]
    .flatMap((subject) => document.literals(subject, v.log))
    .map((line) => line.replace(/^<\d{8}T\d{6}/, '<'))
    .filter((line) => line.includes(`;grant;${analyser.pod.webId};`))
    .sort();
}

const grantsTo = (...readers: InitialisedPod[]) =>
  readers
    .flatMap((reader) =>
      [ownResultAddress(analyser, reader), cohortAddress(analyser)].map((url) =>
        logLine(url, {
          time: new Date(),
          ownerWebId: analyser.pod.webId,
          action: 'grant',
          recipientWebId: reader.pod.webId,
        }).replace(/^<\d{8}T\d{6}/, '<'),
      ),
    )
    .sort();

/** Runs in which the Analyser is refused these requests. */
const startRefused = (
  isRefused: Parameters<typeof refuse>[1],
  failure?: Parameters<typeof refuse>[2],
) => {
  const client = refuse(analyser.client, isRefused, failure);
  return startTestRuns(server, analyser, noCharts, { client });
};

test('what could not be written into the own log, or kept of keys, is a warning, and costs nobody anything', async () => {
  const { permissionsLog, indKeys } = analyser.pod.documents;
  const refused = await startRefused((url) => [permissionsLog, indKeys].includes(url));
  const [before, ofAnna] = [await grantsIn(analyser), await grantsIn(anna)];
  const { report, notices } = await refused.run({ caller: anna.pod.webId });
  expect(report).toMatchObject({ status: 'COMPLETED', published: true, message: '' });
  expect(notices).toEqual([
    expect.stringContaining('The keys of published documents could not be written to'),
    expect.stringContaining('2 lines could not be written into the Analyser'),
  ]);
  expect(await grantsIn(analyser)).toEqual(before);
  // A reader's log has its lines whatever becomes of the Analyser's.
  expect(await grantsIn(anna)).toEqual([...ofAnna, ...grantsTo(anna)].sort());

  await runs.ask(anna);
  expect(await grantsIn(analyser)).toEqual([...before, ...grantsTo(anna)].sort());
});

test('a log of a reader that takes no lines is a warning, and a refused login of the Analyser a failure', async () => {
  const { permissionsLog, sharedKeys } = anna.pod.documents;
  const before = await grantsIn(analyser);
  const unlogged = await startRefused((url) => url === permissionsLog);
  const { document } = await unlogged.run({ caller: anna.pod.webId });
  expect(document.warnings.join()).toContain('could not be written to their permission log');
  expect(await grantsIn(analyser)).toEqual([...before, ...grantsTo(anna)].sort());

  const loggedOut = await startRefused((url) => url === sharedKeys, 'login');
  const { report, errors } = await loggedOut.run({ caller: anna.pod.webId });
  expect(report.published).toBe(false);
  expect(errors).toMatchObject([{ failure: 'login' }]);
});

test('no answer waits for what only documents of the Analyser need', async () => {
  const carol = await createContributor(server, analyser, weekly([140, 95, 75]));
  const { indKeys, permissionsLog } = analyser.pod.documents;
  let letGo = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const client: SolidClient = {
    ...analyser.client,
    async request(url, options) {
      if ([indKeys, permissionsLog].includes(url)) await answered;
      return await analyser.client.request(url, options);
    },
  };
  const before = await grantsIn(analyser);
  const people = [anna, carol].map(({ pod }) => pod.webId);
  const left = new Set(people);
  const onAnswer = (webId: string) => {
    left.delete(webId);
    if (left.size === 0) letGo();
  };
  const replies = await askTogether(runs, people, { client, onAnswer });
  expect(replies.map(({ published }) => published)).toEqual([true, true]);
  expect(await grantsIn(analyser)).toEqual([...before, ...grantsTo(anna, carol)].sort());
  expect(await keysForTheApp(analyser, [ownResultAddress(analyser, carol)])).toHaveLength(1);
});

test('[7.2] a caller whose own document cannot be written gets no access to that of the cohort, no key and no line in the log, and the others do', async () => {
  const dora = await createContributor(server, analyser, weekly([150, 99, 80]));
  const urls = [anna, dora].map((reader) => ownResultAddress(analyser, reader));
  const client = refuse(
    analyser.client,
    (asked, options) => urls.includes(asked) && options?.method === 'PUT',
  );
  const people = [anna, ben, dora].map(({ pod }) => pod.webId);
  expect((await anna.client.request(cohortAddress(analyser))).status).toBe(200);
  const before = await snapshotPods([anna, dora]);
  const replies = await askTogether(runs, people, { client });
  expect(replies.map(({ published }) => published)).toEqual([false, true, false]);
  expect(await snapshotPods([anna, dora])).toEqual(before);
  expect((await anna.client.request(cohortAddress(analyser))).status).toBe(403);
  expect((await ben.client.request(cohortAddress(analyser))).status).toBe(200);
  // What nobody may read is not written, so the earlier one stays.
  await askTogether(runs, [anna.pod.webId], { client });
  expect((await ben.client.request(cohortAddress(analyser))).status).toBe(200);
});

test('[7.1] a cohort document whose new text is refused stays open to the readers of the earlier one', async () => {
  await runs.ask(anna);
  const url = cohortAddress(analyser);
  const full = await startRefused((asked, options) => asked === url && options?.method === 'PUT');
  const { errors } = await full.run({ caller: null });
  // One for all whom it concerns.
  expect(errors).toMatchObject([{ failure: 'refused' }]);
  expect((await anna.client.request(url)).status).toBe(200);
  expect((await ben.client.request(url)).status).toBe(403);
});

test('[7.1] a cohort document of whose new text nobody knows whether it stands there is open to nobody', async () => {
  await runs.ask(anna);
  const url = cohortAddress(analyser);
  expect((await anna.client.request(url)).status).toBe(200);
  const client: SolidClient = {
    ...analyser.client,
    async request(asked, options) {
      const answer = await analyser.client.request(asked, options);
      if (asked !== url || options?.method !== 'PUT') return answer;
      throw new ServerError('slow', 'The answer was lost.', { url });
    },
  };
  const lost = await startTestRuns(server, analyser, noCharts, { client });
  await lost.run({ caller: ben.pod.webId });
  for (const { client: reader } of [anna, ben]) {
    expect((await reader.request(url)).status).toBe(403);
  }
});
