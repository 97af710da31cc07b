import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { addReadings, readResult, shareReadings } from '../../src/client/client.js';
import { createAccount, issueClientCredentials } from '../../src/solid/css-account.js';
import { shareFolder, weekly } from '../support/contributor.js';
import {
  createInitialisedPod,
  type InitialisedPod,
  initialise,
} from '../support/initialised-pod.js';
import { checkPodAverage, ownResultAddress } from '../support/published.js';
import { sharedSolidServer, uniquePodName } from '../support/solid-server.js';
import { noCharts, startTestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const runs = await startTestRuns(server, analyser, noCharts);

const demand = z.object({ details: z.object({ quad: z.string() }) });

/**
 * A Pod whose name the server's own account page would clean: put on the disk by hand, as a
 * migration would. `segment` is the name as its owner's app spells it in the WebID.
 */
async function createCaller(segment: string): Promise<InitialisedPod> {
  const unique = uniquePodName('odd');
  const name = decodeURIComponent(segment);
  // As the server itself writes them on a disk that may be of another system.
  const folder = join(
    server.rootDir,
    name.replace(/[*:]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`),
  );
  const root = `${server.baseUrl}${segment}/`;
  const webId = `${root}profile/card#me`;
  const spelled = `${server.baseUrl}${encodeURIComponent(name)}/`;
  const rules = (target: string, extra: string) => `
    @prefix acl: <http://www.w3.org/ns/auth/acl#>.
    <#owner> a acl:Authorization; acl:agent <${webId}>; acl:accessTo <${target}>; ${extra}
      acl:mode acl:Read, acl:Write, acl:Control.
    <#all> a acl:Authorization; acl:agentClass <http://xmlns.com/foaf/0.1/Agent>;
      acl:accessTo <${spelled}profile/card>; acl:mode acl:Read.`;
  await mkdir(join(folder, 'profile'), { recursive: true });
  await writeFile(join(folder, '.acl'), rules(spelled, `acl:default <${spelled}>;`));
  await writeFile(join(folder, 'profile/card.acl'), rules(`${spelled}profile/card`, ''));
  const writeCard = (proof: string) =>
    writeFile(
      join(folder, 'profile/card$.ttl'),
      `<${webId}> <http://www.w3.org/ns/solid/terms#oidcIssuer> <${server.baseUrl}>.\n${proof}\n`,
    );
  await writeCard('');
  const login = { email: `${unique}@pods.example`, password: `password of ${unique}` };
  const account = await createAccount(server.baseUrl, login);
  const address = String(account.controls.account['pod']).replace(/pod\/$/, 'webid/');
  const type = 'application/json';
  const authorization = `CSS-Account-Token ${account.token}`;
  const headers = { authorization, accept: type, 'content-type': type };
  const link = async () => {
    const body = JSON.stringify({ webId });
    const answer = await fetch(address, { method: 'POST', headers, body });
    const json: unknown = await answer.json();
    return { ok: answer.ok, json };
  };
  const first = await link();
  await writeCard(demand.parse(first.json).details.quad);
  const second = await link();
  if (!second.ok) throw new Error(`${webId} could not be linked: ${JSON.stringify(second.json)}`);
  const credentials = await issueClientCredentials(account, { name: 'test', webId });
  return await initialise(server, { webId, root, ...login, ...credentials });
}

/** One reading, recorded and shared through the client library. */
async function shareOne(caller: InitialisedPod): Promise<void> {
  const reading = { timestamp: '2026-01-05T08:00:00.000', systolic: 120, diastolic: 80 };
  const { added } = await addReadings(caller, [{ ...reading, heartRate: 60, notes: '' }]);
  await shareReadings(caller, analyser.pod.webId, added);
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
