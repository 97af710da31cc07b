import { expect, test } from 'vitest';
import { addReadings, readResult, shareReadings } from '../../src/client/client.js';
import { initialisePod } from '../../src/pod/initialise-pod.js';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import { atEnd } from '../support/at-end.js';
import { shareFolder, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { createOddPod } from '../support/odd-pod.js';
import { checkPodAverage, ownResultAddress } from '../support/published.js';
import { sharedSolidServer, uniquePodName } from '../support/solid-server.js';
import { noCharts, startTestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const runs = await startTestRuns(server, analyser, noCharts);

async function createCaller(segment: string): Promise<InitialisedPod> {
  const account = await createOddPod(server, segment, uniquePodName('odd'));
  const securityKey = 'a security key';
  const client = createSolidClient({ serverUrl: server.baseUrl, credentials: account });
  const pod = await initialisePod(client, { webId: account.webId, appDir: 'app', securityKey });
  return {
    account,
    client,
    pod,
    securityKey,
    close: atEnd(async () => {
      pod.dispose();
      await client.close();
    }),
  };
}

/** One reading, recorded and shared through the client library. */
async function shareOne(caller: InitialisedPod): Promise<string> {
  const reading = { timestamp: '2026-01-05T08:00:00.000', systolic: 120, diastolic: 80 };
  const { added } = await addReadings(caller, [{ ...reading, heartRate: 60, notes: '' }]);
  await shareReadings(caller, analyser.pod.webId, added);
  return added[0] ?? '';
}

async function expectResult(caller: InitialisedPod): Promise<void> {
  const report = await runs.ask(caller);
  expect(report).toMatchObject({ status: 'COMPLETED', published: true, files_read: 1 });
  expect(report.result_url).toBe(ownResultAddress(analyser, caller));
  const result = checkPodAverage(await readResult(caller, { analyserWebId: analyser.pod.webId }));
  expect(result.generated_at).toBe(report.generated_at);
  expect(result.average.systolic).toBe(120);
}

test.each([
  // Every character that stands for itself in a path, but for those of common names.
  "at@plus+comma,semi;dollar$bang!quote'open(close)star*and&is=tilde~colon:end",
  'sp%20ace-%C3%BC',
])('a Pod gets its result, again and again, under the WebID of %s', async (segment) => {
  const name = `${segment}-${uniquePodName()}`;
  const caller = await createCaller(name);
  expect(caller.pod.webId).toBe(`${server.baseUrl}${name}/profile/card#me`);
  await shareOne(caller);
  await expectResult(caller);
  await expectResult(caller);
  expect(ownResultAddress(analyser, caller)).toContain(
    `/app/data/analyser/${new URL(server.baseUrl).host}-${name}/bp-average`,
  );
});

// With a colon or an asterisk in the name, the server itself lists addresses that do not exist.
test('a shared folder of a Pod with such a name is listed', async () => {
  const caller = await createCaller(`f@lder,+-${uniquePodName()}`);
  await shareFolder(caller, analyser, weekly([120, 80, 60]));
  await expectResult(caller);
});
