import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ServerError } from '../../src/base/errors.js';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { changeAccess } from '../../src/pod/access-control.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import type { SolidAnswer, SolidClient } from '../../src/solid/solid-client.js';
import { createContributor, plantKey, record, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns, withTestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
/** Shares two readings one by one. */
let single: InitialisedPod;
/** Shares the folder of the readings. */
let whole: InitialisedPod;
let runs: TestRuns;
/** What a healthy server does not do on demand, for addresses below a root. */
let faults: { root: string; answer: (url: string) => Promise<SolidAnswer> }[] = [];

const folderOf = ({ pod }: InitialisedPod) => `${pod.documents.app}data/blood_pressure/`;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  [single, whole] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60], [124, 84, 64])),
    createInitialisedPod(server),
  ]);
  await record(whole, weekly([130, 90, 70]));
  await shareResources(whole.client, whole.pod, {
    urls: [folderOf(whole)],
    recipientWebId: analyser.pod.webId,
  });
  const client: SolidClient = {
    request: (url, options) =>
      faults.find(({ root }) => url.startsWith(root))?.answer(url) ??
      analyser.client.request(url, options),
    close: () => Promise.resolve(),
  };
  runs = await startTestRuns(server, analyser, {}, { client });
});
afterEach(() => {
  faults = [];
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser, single, whole].map((one) => one.close()));
});

function silent(root: string): void {
  const answer = (url: string) =>
    Promise.reject(new ServerError('unreachable', `${url} gave nothing.`, { url }));
  faults.push({ root, answer });
}

function answering(root: string, status: number): void {
  const answer = (url: string) =>
    Promise.resolve({ status, headers: {}, body: Buffer.alloc(0), url });
  faults.push({ root, answer });
}

/** What the caller is told, and the warnings of the run about the caller's Pod. */
async function ask(caller: InitialisedPod): Promise<{ message: string; warnings: string[] }> {
  const { report, document } = await runs.run({ caller: caller.pod.webId });
  const { status, message } = report;
  expect(status).toBe('NO_DATA');
  const warnings = document.warnings.filter((warning) => warning.startsWith(caller.pod.root));
  return { message, warnings };
}

describe('a caller is told what happened', () => {
  test('when the server gives none of the files', async () => {
    silent(single.pod.root);
    expect((await ask(single)).message).toBe(
      'None of the 2 files that you shared could be read, because the server gave no answer in time: try again later.',
    );
  });

  test('when the server gives one of the files and not the other', async () => {
    silent(`${folderOf(single)}bp_2026-01-05T`);
    expect(await runs.ask(single)).toMatchObject({
      status: 'COMPLETED',
      files_read: 1,
      message:
        '1 of the 2 files that you shared could not be read, because the server gave no answer in time: try again later.',
    });
  });

  test('when a file is too large', async () => {
    const answer = (url: string) =>
      Promise.reject(new ServerError('too-large', `${url} is large.`, { url }));
    faults.push({ root: `${folderOf(single)}bp_2026-01-05T`, answer });
    expect(await runs.ask(single)).toMatchObject({
      status: 'COMPLETED',
      files_read: 1,
      message:
        '1 of the 2 files that you shared could not be read. One of your files is larger than 4 MB: split it into smaller files.',
    });
  });

  test('when somebody has filled the inbox beyond what is read, and nothing is remembered', async () => {
    const fresh = await createInitialisedPod(server);
    const url = fresh.pod.documents.sharedKeys;
    const client: SolidClient = {
      ...fresh.client,
      request: (asked, options) =>
        asked === url
          ? Promise.reject(new ServerError('too-large', `${url} is large.`, { url }))
          : fresh.client.request(asked, options),
    };
    const asking = async (full: TestRuns) =>
      expect(await full.ask(single)).toMatchObject({ status: 'NO_DATA', pod_count: 0 });
    await withTestRuns(server, fresh, {}, asking, { client });
    await fresh.close();
  });

  test('when the server does not answer for the shared folder', async () => {
    silent(whole.pod.root);
    expect((await ask(whole)).message).toBe(
      'The folder that you shared could not be listed, because its server gave no answer in time. Try again later.',
    );
  });

  test('when the Analyser may not list the shared folder', async () => {
    const open = { resources: [folderOf(whole)], pod: whole.pod, agent: analyser.pod.webId };
    await changeAccess(whole.client, { ...open, modes: [] });
    const { message, warnings } = await ask(whole);
    expect(message).toBe(
      'The folder that you shared could not be listed: the Analyser may not read it. Share it again.',
    );
    expect(warnings).toEqual([expect.stringMatching(/access was revoked \(HTTP 403\)$/)]);
    await changeAccess(whole.client, { ...open, modes: ['read'] });
  });

  test('and nobody is said to have revoked anything when a server rejects the login', async () => {
    answering(single.pod.root, 401);
    answering(whole.pod.root, 401);
    const [files, folder] = [await ask(single), await ask(whole)];
    expect(files.message).toBe('None of the 2 files that you shared could be read.');
    expect(files.warnings).toHaveLength(2);
    expect(folder.message).toBe(
      'The folder that you shared could not be used: its server gave no listing of it, or others than you may write to it.',
    );
    for (const warning of [...files.warnings, ...folder.warnings]) {
      expect(warning).toMatch(/its server does not accept the login.*\(HTTP 401\)/);
    }
    expect(folder.warnings).toHaveLength(1);
  });

  test('when a Pod is not there that would have the pod_id of another', async () => {
    const origin = `http://127.0.0.1:${await findFreePort()}`;
    for (const root of [`${origin}/x-y/`, `${origin}/x/y/`]) {
      await plantKey(single, analyser, `${root}app/data/blood_pressure/bp.json.enc.ttl`);
    }
    const data = { allowed_origins: [{ origin, pod_depth: 2 }] };
    await withTestRuns(server, analyser, { data }, async (other) => {
      const { report } = await other.run({ caller: `${origin}/x/y/profile/card#me` });
      expect(report).toMatchObject({ status: 'NO_DATA', files_read: 0, files_skipped: 1 });
      expect(report.message).toMatch(/^The one file that you shared could not be read/);
    });
  });
});

test.each([0, 1])(
  'minimum_observations: %i leaves out a Pod of which no reading counts',
  async (least) => {
    const sections = { analysis: { minimum_observations: least, window_days: 30 } };
    const late = { tools: { now: () => new Date('2027-01-01T00:00:00Z') } };
    const use = async (other: TestRuns) => {
      const { report, document } = await other.run({ caller: single.pod.webId });
      expect(report).toMatchObject({ status: 'COMPLETED', files_read: 2, observation_count: 0 });
      expect(document.pods).toMatchObject([{ included_in_cohort: false }]);
      expect(document.cohort).toMatchObject({ pod_count: 1, included_pod_count: 0 });
    };
    await withTestRuns(server, analyser, sections, use, late);
  },
);
