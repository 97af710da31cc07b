import { rm, writeFile } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { revokeShares, shareResources } from '../../src/pod/sharing/share.js';
import { runMode } from '../support/command-line.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, record, weekly } from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress, removeMemory } from '../support/memory-of.js';
import { checkResults, collectCohort, collectOwn } from '../support/published.js';
import { type Sharing, startTestRuns, type TestRuns } from '../support/test-runs.js';

const nothing = { systolic: null, diastolic: null, heart_rate: null };
type Section = NonNullable<Sharing['cohort_release']>;

let server: ProxiedServer;
let world: World;

interface World {
  analyser: InitialisedPod;
  /** One reading each: 110, 120 and 130, 70, 50. The first one calls. */
  people: [InitialisedPod, InitialisedPod, InitialisedPod];
}

beforeAll(async () => {
  server = await startProxiedServer();
  const analyser = await createInitialisedPod(server);
  const join = (systolic: number) => contribute(analyser, systolic);
  world = { analyser, people: await Promise.all([join(110), join(120), join(130)]) };
}, 180_000);
afterAll(async () => {
  await Promise.all([world.analyser, ...world.people].map((one) => one.close()));
  await server.stop();
});

function contribute(analyser: InitialisedPod, systolic: number) {
  return createContributor(server, analyser, weekly([systolic, 70, 50]));
}

/** Somebody new, who is gone after the test. */
async function join(): Promise<void> {
  const recipientWebId = world.analyser.pod.webId;
  const newcomer = await contribute(world.analyser, 167);
  onTestFinished(async () => {
    const { client, pod, urls } = newcomer;
    await revokeShares(client, pod, { urls, recipientWebId });
    await newcomer.close();
  });
}

let month = 1;

/** Each of them adds a reading, which changes their sums. */
async function change(people: readonly InitialisedPod[], systolic = 140): Promise<void> {
  month += 1;
  const timestamp = new Date(Date.UTC(2026, month, 2, 8)).toISOString().slice(0, 23);
  await Promise.all(
    people.map(async (one) => {
      const urls = await record(one, [{ timestamp, systolic, diastolic: 70, heart_rate: 50 }]);
      const recipientWebId = world.analyser.pod.webId;
      await shareResources(one.client, one.pod, { urls, recipientWebId });
    }),
  );
}

const recordAddress = () => memoryAddress(world.analyser);

/** A var/ of its own. */
async function open(sharing: Sharing, analyser = world.analyser): Promise<TestRuns> {
  const runs = await startTestRuns(server, analyser, {
    sharing,
    output: { render_charts: false },
  });
  onTestFinished(() => runs.close());
  return runs;
}

/** The same, as if nothing had ever been sent out. */
async function openAnew(sharing: Sharing): Promise<TestRuns> {
  await removeMemory(world.analyser);
  return open(sharing);
}

const withNoise = (section: Section = {}) => ({
  cohort_release: { epsilon: 1, every_days: 30, budget: 36, ...section },
});

/** What the caller is sent, in the one document and the other. */
async function ask(runs: TestRuns, caller = world.people[0], analyser = world.analyser) {
  const { document } = await runs.run({ caller: caller.pod.webId });
  const own = await collectOwn(analyser, caller);
  const { cohort } = await collectCohort(analyser, caller);
  expect(own.generated_at).toBe(document.generated_at);
  expect(cohort).toEqual(own.cohort);
  const exact = document.cohort.average_of_averages;
  return { document: checkResults(document), sent: cohort.average_of_averages, cohort, exact };
}

/** What a caller works out of somebody who joined between two analyses. */
async function attackByJoining(runs: TestRuns): Promise<number | null> {
  const before = (await ask(runs)).cohort;
  await join();
  const after = (await ask(runs)).cohort;
  const [a, b] = [before.average_of_averages.systolic, after.average_of_averages.systolic];
  return a === null || b === null ? null : after.pod_count * b - before.pod_count * a;
}

describe('Whoever calls before and after somebody joins', () => {
  test('works out that average from exact figures', async () => {
    expect(await attackByJoining(await openAnew({}))).toBeCloseTo(167, 0);
  });

  test('gets the same figures again with noise, and they are not the exact ones', async () => {
    // So much noise that the exact figures come out once in thousands.
    const runs = await openAnew(withNoise({ epsilon: 0.01 }));
    const { sent, exact, cohort } = await ask(runs);
    expect(cohort.pooled_average).toEqual(nothing);
    expect(sent).not.toEqual(exact);
    await join();
    expect((await ask(runs)).sent).toEqual(sent);
  });
});

test('a Pod that gives no answer counts as before, and no release is lost by it', async () => {
  const runs = await openAnew(withNoise());
  const { sent, exact } = await ask(runs);
  const { root } = world.people[1].pod;
  const rule = server.proxy.inject({
    when: ({ url }) => url.startsWith(root) && url.includes('/data/'),
    fault: { kind: 'reset' },
  });
  const lacking = await ask(runs);
  rule.remove();
  expect(lacking.sent).toEqual(sent);
  expect(lacking.exact).toEqual(exact);
  expect(lacking.document.cohort).toMatchObject({ included_pod_count: 3, carried_pod_count: 1 });
});

describe('The record of what was sent out', () => {
  const fetchRecord = async () => (await world.analyser.client.request(recordAddress())).body;

  async function put(body: Buffer) {
    const headers = { 'content-type': 'text/plain' };
    const request = { method: 'PUT', headers, body } as const;
    expect((await world.analyser.client.request(recordAddress(), request)).status).toBe(205);
  }

  async function withFigures() {
    const runs = await openAnew({});
    const { sent, exact } = await ask(runs);
    expect(sent).toEqual(exact);
    return { runs, sent };
  }

  async function expectWithheld(runs: TestRuns, reason: string) {
    const { sent, document } = await ask(runs);
    expect(sent).toEqual(nothing);
    const said = document.warnings.find((one) => one.startsWith('Cohort figures are withheld: '));
    expect(said).toContain(reason);
  }

  test('is private, and says nothing to who reads the storage', async () => {
    await withFigures();
    const url = recordAddress();
    expect((await fetch(url)).status).toBe(401);
    expect((await world.people[0].client.request(url)).status).toBe(403);
    const text = (await fetchRecord()).toString();
    expect(text).toMatch(/^[A-Za-z0-9+/=]+$/);
    expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('systolic');
  });

  test.each([
    ['damaged', (body: Buffer) => body.fill('-', 100, 101)],
    ['changed', (body: Buffer) => body.fill(body.at(100) === 65 ? 'B' : 'A', 100, 101)],
    ['cut short', (body: Buffer) => body.subarray(0, 20)],
  ])('that is %s withholds figures', async (_, spoil) => {
    const { runs } = await withFigures();
    await put(spoil(Buffer.from(await fetchRecord())));
    await expectWithheld(runs, 'does not open');
  });

  test('that is lost is gone on without once the operator confirms', async () => {
    const { runs } = await withFigures();
    await put(Buffer.from('nonsense'));
    await expectWithheld(runs, 'does not open');
    const { config, folder } = runs;
    await writeConfigFile(folder, world.analyser, { output: config.output });
    const cli = (...args: string[]) => runMode(args, { cwd: folder });
    const checked = await cli('check');
    expect(checked.out).toContain('Cohort figures are withheld: ');
    expect((await cli('release')).out).toContain('does not open');
    expect(await cli('release', '--confirm')).toMatchObject({ code: 0 });
    expect((await cli('release')).out).not.toContain('does not open');
    const { sent, exact } = await ask(runs);
    expect(sent).toEqual(exact);
    const confirmed = (await cli('release', '--confirm')).out;
    expect(confirmed).toContain('nothing to confirm');
  });

  test('that was put back to an older state withholds figures', async () => {
    const { runs } = await withFigures();
    const older = await fetchRecord();
    await change(world.people);
    const { sent, exact } = await ask(runs);
    expect(sent).toEqual(exact);
    await put(older);
    await expectWithheld(runs, 'is older');
  });

  test('that is gone withholds figures, also when the local note is gone', async () => {
    const { runs } = await withFigures();
    await world.analyser.client.request(recordAddress(), { method: 'DELETE' });
    await expectWithheld(runs, 'is gone');
    // The new memory says so from then on, until it is gone as well.
    await expectWithheld(runs, 'is gone');
    await world.analyser.client.request(recordAddress(), { method: 'DELETE' });
    await rm(joinPath(runs.folder, 'state'), { recursive: true });
    await expectWithheld(runs, 'although cohort figures have been sent out');
  });

  test('whose local note is damaged withholds figures', async () => {
    const { runs } = await withFigures();
    await writeFile(joinPath(runs.folder, 'state/memory.json'), '{');
    await expectWithheld(runs, 'memory.json is damaged');
  });

  test('serves a second machine as well, which never releases on its own', async () => {
    const runs = await openAnew(withNoise());
    const { sent } = await ask(runs);
    await change([world.people[1]]);
    const other = await open(withNoise());
    expect((await ask(other)).sent).toEqual(sent);
  });

  test('is not written without sharing.enabled', async () => {
    const runs = await openAnew({ ...withNoise(), enabled: false });
    const { document } = await runs.run({ caller: world.people[0].pod.webId });
    expect(document.sharing.cohort_release?.average_of_averages).toEqual(nothing);
    expect((await world.analyser.client.request(recordAddress())).status).toBe(404);
  });

  const writing = {
    when: ({ method, url }: { method: string; url: string }) =>
      method === 'PUT' && url.endsWith('/memory.txt'),
  };

  test('that cannot be written lets no figure of the cohort out', async () => {
    const { runs } = await withFigures();
    await change(world.people);
    const rule = server.proxy.inject({ ...writing, fault: { kind: 'reset' } });
    const { report, document } = await runs.run({ caller: world.people[0].pod.webId });
    rule.remove();
    expect(report).toMatchObject({ status: 'COMPLETED', published: true });
    expect(document.warnings.join()).toContain('no figures of the cohort were sent');
    const own = await collectOwn(world.analyser, world.people[0]);
    expect(own.generated_at).toBe(report.generated_at);
    expect(own.average.systolic).not.toBeNull();
    expect(own.cohort).toMatchObject({ average_of_averages: nothing, pooled_average: nothing });
  });

  test('that was written although the answer got lost is the one that counts', async () => {
    const { runs } = await withFigures();
    await change(world.people);
    const rule = server.proxy.inject({ ...writing, fault: { kind: 'reset-after' } });
    const { sent, exact } = await ask(runs);
    rule.remove();
    expect(rule.hits).toBe(1);
    expect(sent).toEqual(exact);
  });
});
