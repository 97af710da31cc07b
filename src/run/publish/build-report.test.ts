import { expect, test } from 'vitest';
import { digestOf, type GivenRow, podOf, readWith } from '../../../test/support/table.js';
import { configSchema } from '../../config/schema.js';
import type { PublishedRecord } from '../../documents/results-document.js';
import { emptyMemory, type Memory } from '../../memory/memory.js';
import { notAsked, notRead } from '../../pod/outcome.js';
import { podIdOfRoot } from '../../pod/owner.js';
import { analysisRules } from '../analysis-rules.js';
import { conclude } from '../conclude/conclude.js';
import { podReading } from '../read/pod-reading.js';
import { buildReport, buildUnfinishedReport } from './build-report.js';
import { buildResultsDocument } from './build-results-document.js';

const server = 'https://pods.example/';
const root = `${server}anna/`;
const webId = `${root}profile/card#me`;
const folder = `${root}app/data/blood_pressure/`;
const [one, two, three] = [`${folder}1.enc.ttl`, `${folder}2.enc.ttl`, `${folder}3.enc.ttl`];
const now = new Date('2026-11-01T00:00:00Z');

interface Found {
  minimumCohortPods?: number;
  rows?: Record<string, GivenRow>;
  memory?: Memory;
  notInView?: string[];
  whyInboxUnread?: string;
  published?: PublishedRecord[];
}

/** What Anna is told when this was found of her Pod. */
function reportOn({
  rows,
  memory = emptyMemory(),
  notInView = [],
  whyInboxUnread,
  ...found
}: Found) {
  const config = configSchema.parse({
    analyser: { web_id: `${server}analyser/profile/card#me`, server_url: server },
    sharing: { minimum_cohort_pods: found.minimumCohortPods ?? 0 },
  });
  const pods = rows === undefined ? [] : [podOf(root, rows, memory)];
  const podReadings = pods.map((pod) => podReading(pod, analysisRules(config, now)));
  const gathered = {
    notInView,
    excluded: [],
    podIdOf: podIdOfRoot,
    whyInboxUnread: whyInboxUnread ?? null,
  };
  const before = { memory, digestOf };
  const conclusion = conclude(config, { gathered, podReadings, before, served: [webId], now });
  const results = {
    generatedAt: '',
    period: null,
    conclusion,
    told: conclusion.told,
    readingSeconds: 1,
    gathered,
    warnings: [],
  };
  const document = buildResultsDocument(config, results, {
    runId: '',
    requestedBy: webId,
    recipients: [],
    charts: new Map(),
    published: found.published ?? [],
    warnings: [],
  });
  return buildReport(results, document, webId, config.sharing);
}

const is = (because: Parameters<typeof notRead>[0]): GivenRow => ({
  hasEntry: true,
  outcome: notRead(because, `because of ${because}`),
});
const read: GivenRow = { hasEntry: true, outcome: readWith(null) };
const listed: GivenRow = { hasEntry: true, outcome: { kind: 'listed' } };

test.each<[string, Found, string]>([
  ['nothing is shared', {}, 'You have not shared any readings with the Analyser.'],
  [
    'something else is shared',
    { notInView: [`${root}app/data/weight/1.enc.ttl`] },
    'You have shared files with the Analyser, but none that it is set to analyse.',
  ],
  [
    'the inbox cannot be read',
    { whyInboxUnread: 'It is spoilt.' },
    'The inbox of the Analyser could not be read, so what you have shared since was not found. Try again later; the operator of the service has to look at it.',
  ],
  [
    'a folder without readings is shared',
    { rows: { [folder]: listed } },
    'You have shared a folder with the Analyser, but no file of readings was found in it.',
  ],
  [
    'the Analyser may not list the folder',
    { rows: { [folder]: is('refused') } },
    'The folder that you shared could not be used: its server gave no listing of it, or others than you may write to it. Try again later, or share it again, for reading only.',
  ],
  [
    'the server gives none of the files',
    { rows: { [one]: is('silence'), [two]: is('silence') } },
    '2 of the 2 files that you shared could not be read. 2 files: because of silence.',
  ],
  [
    'the server rejects the login',
    { rows: { [one]: is('uncertain'), [two]: is('uncertain') } },
    '2 of the 2 files that you shared could not be read.',
  ],
])('who has no result is told why: %s', (_, found, message) => {
  expect(reportOn(found)).toMatchObject({ status: 'NO_DATA', message, files_read: 0 });
});

test.each<[Parameters<typeof notRead>[0], boolean]>([
  ['too large', true],
  ['plaintext', true],
  ['writable', true],
  ['foreign key', true],
  ['no key', false],
  ['no reading', false],
  ['copied key', false],
])(
  'beside what was read, whether it is told that a file was left out for %s: %s',
  (why, isTold) => {
    const report = reportOn({ rows: { [one]: read, [two]: is(why) } });
    expect(report).toMatchObject({ status: 'COMPLETED', files_read: 1, files_skipped: 1 });
    expect(report.message).toContain('1 of the 2 files that you shared could not be read.');
    expect(report.message.includes(`1 file: because of ${why}.`)).toBe(isTold);
  },
);

/** In which these addresses are remembered. */
function remembering(...urls: string[]): Memory {
  const shares = new Map(urls.map((url) => [url, { url, key: null, missingOn: [] }]));
  return { ...emptyMemory(), pods: new Map([[root, { root, shares, sums: null }]]) };
}

test('who has taken back a folder has shared nothing', () => {
  const rows = { [folder]: { outcome: notRead('refused', '') } };
  expect(reportOn({ rows, memory: remembering(folder) }).message).toBe(
    'You have not shared any readings with the Analyser.',
  );
});

test('a file that its owner has deleted from a shared folder is not missed', () => {
  const gone = { outcome: notRead('refused', '') };
  const rows = {
    [folder]: listed,
    [one]: { ...read, hasEntry: false, isListed: true },
    [two]: gone,
  };
  const memory = remembering(folder, one, two);
  const report = reportOn({ rows, memory });
  expect(report).toMatchObject({ files_read: 1, files_skipped: 0 });
  expect(report.message).not.toContain('could not be read');
  // It is, if the listing still names it, or if there is no listing.
  const stillListed = { ...rows, [two]: { ...gone, isListed: true } };
  expect(reportOn({ rows: stillListed, memory }).files_skipped).toBe(1);
  const unlisted = { ...rows, [folder]: is('silence') };
  expect(reportOn({ rows: unlisted, memory }).files_skipped).toBe(1);
});

test.each([
  [{}, 'time for all of them: 1 file could not be asked for.'],
  [{ [three]: is('not yet') }, 'could not be asked for, and 1 other that could be read waits for'],
])('there may be no time for what is new: %#', (others, expected) => {
  const rows = { [one]: read, [two]: { hasEntry: true, outcome: notAsked }, ...others };
  const report = reportOn({ rows, memory: remembering(one) });
  expect(report.status).toBe('COMPLETED');
  expect(report.message).toContain(expected);
});

test('it is told how many Pods a figure of the cohort takes, and how many were read, though nothing of them counts', () => {
  const report = reportOn({ rows: { [one]: read }, minimumCohortPods: 6 });
  expect(report).toMatchObject({ pod_count: 1, observation_count: 0 });
  expect(report.message).toContain(
    'There are no figures of the cohort: each takes at least 6 Pods that count, and 1 Pod is in this analysis.',
  );
});

test('why a result did not arrive is for its caller alone, since it names addresses', () => {
  const own = { kind: 'pod-average', pod_id: 'anna', resource_url: one } as const;
  const missed = { ...own, recipients: [], failures: { [webId]: `${one} is full.` } };
  const rows = { [one]: read };
  expect(reportOn({ rows, published: [missed] })).toMatchObject({
    message: expect.stringContaining(`did not reach your Pod: ${one} is full.`),
    isPersonal: true,
  });
  const arrived = { ...own, recipients: [webId], failures: {} };
  expect(reportOn({ rows, published: [arrived] }).isPersonal).toBe(false);
  const cohort = { ...missed, kind: 'cohort-average', pod_id: 'cohort' } as const;
  expect(reportOn({ rows, published: [arrived, cohort] })).toMatchObject({
    message: expect.stringContaining(`the document of the cohort has not: ${one} is full.`),
    isPersonal: true,
  });
});

test.each([
  [`${server}anna/`, 'has to raise grpc.analysis_timeout_seconds.'],
  [
    'https://far.example/anna/',
    'has to raise the seconds of https://far.example in data.allowed_origins.',
  ],
])('whose Pod is unfinished is told which limit is to be raised: %s', (late, expected) => {
  const { message, isPersonal } = reportOfUnfinished(late, { outcome: notAsked });
  expect(isPersonal).toBe(late.startsWith('https://far.example'));
  expect(message).toContain('it asked for 0 of 1 of your files in 9 seconds');
  expect(message).toContain(expected);
});

test('whose Pod is too large is told so, and not that a limit has to be raised', () => {
  const outcome = notRead('not asked', 'the files of this Pod hold more than 150000 readings');
  const { message } = reportOfUnfinished(`${server}anna/`, { outcome });
  expect(message).toMatch(
    /because the files of this Pod hold more than 150000 readings\. An average/,
  );
  expect(message).not.toMatch(/too long|raise/);
});

function reportOfUnfinished(late: string, file: GivenRow) {
  const url = `${late}app/data/blood_pressure/1.enc.ttl`;
  const pod = podReading(podOf(late, { [url]: file }), { now: 0, windowDays: null, period: null });
  const { data } = configSchema.parse({
    analyser: { web_id: `${server}analyser/profile/card#me`, server_url: server },
    data: { allowed_origins: ['https://far.example'] },
  });
  const report = buildUnfinishedReport(pod, 9, { data });
  expect(report.status).toBe('FAILED');
  return report;
}
