import { expect, test } from 'vitest';
import {
  concludedOf,
  fileOf,
  fileWith,
  podOfFiles,
  rootOf,
  server,
  webIdOf,
} from '../../../test/support/concluded.js';
import {
  type GivenRow,
  listed as isListed,
  podOf,
  readWith,
  rememberedPod,
  someSums,
} from '../../../test/support/table.js';
import { configSchema } from '../../config/schema.js';
import type { PublishedRecord } from '../../documents/results-document.js';
import { emptyMemory, type Memory, type RememberedSums } from '../../memory/memory.js';
import { borrowedKey, copiedBy, foreignKey, noRoom, notAsked, notRead } from '../../pod/outcome.js';
import type { Because } from '../../pod/reasons.js';
import { podReading } from '../read/pod-reading.js';
import type { FileOutcome } from '../table/row.js';
import { buildCommonReport, buildReport, buildUnfinishedReport } from './build-report.js';

const [root, webId] = [rootOf('anna'), webIdOf('anna')];
const folder = `${root}app/data/blood_pressure/`;
const [one, two, three] = [`${folder}1.enc.ttl`, `${folder}2.enc.ttl`, `${folder}3.enc.ttl`];

interface Found {
  sharing?: object;
  grpc?: object;
  excluded?: string[];
  rows?: Record<string, GivenRow>;
  /** One file of each of other Pods. */
  others?: readonly FileOutcome[];
  /** Other Pods, of each of which a known file is missing; with their earlier sums. */
  partly?: readonly string[];
  partlySums?: RememberedSums | null;
  memory?: Memory;
  notInView?: string[];
  whyInboxUnread?: string;
  published?: PublishedRecord[];
}

/** What Anna is told when this was found of her Pod. */
function reportOn({ sharing, grpc, rows, others = [], partly = [], ...found }: Found) {
  const pods = others.map((outcome, nth) => podOfFiles(`other-${nth}`, [outcome]));
  const { partlySums = null } = found;
  for (const name of partly) {
    const known = rememberedPod(rootOf(name), [[fileOf(name, 2), null]], partlySums);
    const memory = { pods: new Map([[known.root, known]]) };
    const missing = { mayHaveEntry: true, outcome: notRead('silence', '') };
    const files = { [fileOf(name)]: read, [fileOf(name, 2)]: missing };
    pods.push(podOf(known.root, files, memory));
  }
  if (rows !== undefined) pods.push(podOf(root, rows, found.memory));
  const sections = { sharing: { minimum_cohort_pods: 0, ...sharing }, grpc };
  const { config, results, document } = concludedOf(pods, { ...found, sections });
  return buildReport(results, document, webId, config);
}

const is = (because: Parameters<typeof notRead>[0]): GivenRow => ({
  mayHaveEntry: true,
  outcome: notRead(because, `because of ${because}`),
});
const read: GivenRow = { mayHaveEntry: true, outcome: readWith(null) };
const listed: GivenRow = { mayHaveEntry: true, outcome: isListed };

test.each<[string, Found]>([
  ['You have not shared any readings with the Analyser.', {}],
  [
    // The folder is taken back.
    'You have not shared any readings with the Analyser.',
    { rows: { [folder]: { outcome: notRead('refused', '') } }, memory: remembering([folder]) },
  ],
  [
    'You have shared files with the Analyser, but none that it is set to analyse.',
    { notInView: [`${root}app/data/weight/1.enc.ttl`] },
  ],
  [
    'The inbox of the Analyser could not be read, so what you have shared since was not found. Try again later; the operator of the service has to look at it.',
    { whyInboxUnread: 'It is spoilt.' },
  ],
  [
    'You have shared a folder with the Analyser, but no file of readings was found in it.',
    { rows: { [folder]: listed } },
  ],
  [
    'The folder that you shared could not be used: its server gave no listing of it, or others than you may write to it. Try again later, or share it again, for reading only.',
    { rows: { [folder]: is('refused') } },
  ],
  [
    '2 of the 2 files that you shared do not count in this result. 2 files: because of silence.',
    { rows: { [one]: is('silence'), [two]: is('silence') } },
  ],
  [
    // The server rejects the login.
    '2 of the 2 files that you shared do not count in this result.',
    { rows: { [one]: is('uncertain'), [two]: is('uncertain') } },
  ],
])('[8.1] who has no result is told why: %s', (message, found) => {
  expect(reportOn(found)).toMatchObject({ status: 'NO_DATA', message, files_read: 0 });
});

test('[8.1] who is left out is told so, where the WebID is proven: otherwise anybody could ask', () => {
  const found = { excluded: [root], notInView: [one] };
  const unproven = 'You have shared files with the Analyser, but none that it is set to analyse.';
  expect(reportOn(found).message).toBe(unproven);
  const grpc = { require_web_id_proof: true, public_url: 'https://analyser.example' };
  const message =
    'The operator of the service leaves your Pod out (data.excluded_pods), so nothing of yours is read.';
  expect(reportOn({ ...found, grpc })).toMatchObject({ status: 'NO_DATA', message });
  expect(reportOn({ ...found, grpc, excluded: [rootOf('ben')] }).message).toBe(unproven);
});

const told: Because[] = ['foreign key', 'other name', 'plaintext', 'too large', 'unproven'];
const untold: Because[] = ['copied key', 'limit', 'no key', 'no reading', 'not yet', 'published'];

test.each([...told, ...untold])(
  '[8.6] beside what was read, the number of files left out is told, but not every reason: %s',
  (why) => {
    const report = reportOn({ rows: { [one]: read, [two]: is(why) } });
    expect(report).toMatchObject({ status: 'COMPLETED', files_read: 1, files_skipped: 1 });
    expect(report.message).toContain(
      '1 of the 2 files that you shared do not count in this result.',
    );
    const given = report.message.match(/1 file: [^.]*/g) ?? [];
    expect(given).toEqual(told.includes(why) ? [`1 file: because of ${why}`] : []);
  },
);

test('[8.6] of a file that was opened the reply does not say why it is left out', () => {
  const key = Buffer.alloc(32, 7);
  const opened = [borrowedKey(key), copiedBy(key), { ...notRead('writable', ''), key }];
  const told = [notRead('no reading', ''), ...opened].map(
    (outcome) =>
      reportOn({ rows: { [one]: read, [two]: { mayHaveEntry: true, outcome } } }).message,
  );
  expect(new Set(told).size, told.join('\n')).toBe(1);
  // Nor of one that was tried, and did not open: strangers can give it keys of their Pods beside the right one.
  const tried = { mayHaveEntry: true, keys: [key], outcome: foreignKey };
  expect(reportOn({ rows: { [one]: read, [two]: tried } }).message).toBe(told[0]);
  const ofFolder = {
    [folder]: { ...listed, keys: [key] },
    [two]: { isListed: true, outcome: foreignKey },
  };
  expect(reportOn({ rows: { ...ofFolder, [one]: read } }).message).toBe(told[0]);
  expect(reportOn({ rows: { [one]: read, [two]: { outcome: foreignKey } } }).message).toContain(
    'was used by another Pod before',
  );
  // With room it would count, and the number of files would tell as much.
  expect(reportOn({ rows: { [one]: read, [two]: { outcome: noRoom(key) } } }).message).toContain(
    'no room for all new files of its Pod',
  );
});

/** In which these addresses are remembered. */
function remembering(urls: string[], sums: RememberedSums | null = null): Memory {
  const pod = rememberedPod(
    root,
    urls.map((url) => [url, null]),
    sums,
  );
  return { ...emptyMemory(), pods: new Map([[root, pod]]) };
}

test('a file that its owner has deleted from a shared folder is not missed', () => {
  const gone = { outcome: notRead('refused', '') };
  const rows = {
    [folder]: listed,
    [one]: { ...read, mayHaveEntry: false, isListed: true },
    [two]: gone,
  };
  const memory = remembering([folder, one, two]);
  const report = reportOn({ rows, memory });
  expect(report).toMatchObject({ files_read: 1, files_skipped: 0 });
  expect(report.message).not.toContain('do not count in this result');
  // It is, if the listing still names it, or if there is no listing.
  const stillListed = { ...rows, [two]: { ...gone, isListed: true } };
  expect(reportOn({ rows: stillListed, memory }).files_skipped).toBe(1);
  const unlisted = { ...rows, [folder]: is('silence') };
  expect(reportOn({ rows: unlisted, memory }).files_skipped).toBe(1);
});

test.each([
  [{}, 'time for all of them: 1 file could not be asked for.'],
  [{ [three]: is('not yet') }, 'could not be asked for, and 1 other that could be read waits for'],
  [
    { [three]: is('not yet'), [`${folder}4.enc.ttl`]: is('not yet') },
    'could not be asked for, and 2 others that could be read wait for',
  ],
])('there may be no time for what is new: %#', (others, expected) => {
  const rows = { [one]: read, [two]: { mayHaveEntry: true, outcome: notAsked }, ...others };
  const report = reportOn({ rows, memory: remembering([one]) });
  expect(report.status).toBe('COMPLETED');
  expect(report.message).toContain(expected);
});

const few = 'There are no figures of the cohort';
const epsilon = { epsilon: 1, every_days: 1, budget: 12 };
/** Made under the rules of the configuration, as an analysis before leaves them. */
const [before] = concludedOf([podOf(root, { [one]: read })], {
  sections: { sharing: { minimum_cohort_pods: 0 } },
}).results.conclusion.memory.pods.values();
const sumsOfToday = before?.sums ?? null;
/** A part is missing that was read before. */
const inPart = { [one]: read, [two]: is('silence') };

test.each<[string, Found]>([
  [
    `${few}: each takes at least 6 Pods that count, and 1 Pod is in this analysis.`,
    { sharing: { minimum_cohort_pods: 6 } },
  ],
  [
    `${few}: each takes at least 2 Pods that count, and 1 Pod is in this analysis.`,
    { sharing: { minimum_cohort_pods: 2 } },
  ],
  [
    `${few}: each takes at least 6 Pods that count, and 2 Pods are in this analysis.`,
    { sharing: { minimum_cohort_pods: 6 }, others: [fileWith()] },
  ],
  // It is the average of that one Pod.
  [`${few}: too few Pods are behind them.`, { others: [fileWith()] }],
  [`${few}: too few Pods are behind them.`, { sharing: { minimum_cohort_pods: 1 } }],
  [`${few}: the service sends none out.`, { sharing: { share_cohort_average: false } }],
  [`${few} yet: too few Pods are behind them.`, { sharing: { cohort_release: epsilon } }],
  [
    'Nothing was published: the service runs without sharing results.',
    { sharing: { enabled: false } },
  ],
  [
    'The figures of the cohort are withheld until the operator of the service has looked at why.',
    { memory: { ...emptyMemory(), withheld: 'It is gone.' } },
  ],
  [
    // Its earlier figures were made under other rules.
    'No figures of the cohort are sent this time: the log of the service says why.',
    { rows: inPart, memory: remembering([two], someSums) },
  ],
  [
    'Not all of the 3 Pods could be read in full: 1 of them does not count yet.',
    { rows: inPart, memory: remembering([two]), others: [fileWith(), fileWith(), notAsked] },
  ],
  [
    'Not all of the 3 Pods could be read in full: 1 of them counts with earlier figures.',
    { rows: inPart, memory: remembering([two], sumsOfToday), others: [fileWith(), fileWith()] },
  ],
  [
    'Not all of the 4 Pods could be read in full: 2 of them do not count yet.',
    {
      rows: inPart,
      memory: remembering([two]),
      others: [fileWith(), fileWith()],
      partly: ['eve'],
    },
  ],
  [
    'Not all of the 4 Pods could be read in full: 2 of them count with earlier figures.',
    {
      rows: inPart,
      others: [fileWith(), fileWith()],
      partly: ['eve'],
      memory: remembering([two], sumsOfToday),
      partlySums: sumsOfToday,
    },
  ],
])('at the end it says of the cohort: %s', (sentence, found) => {
  const report = reportOn({ rows: { [one]: read }, ...found });
  expect(report).toMatchObject({ status: 'COMPLETED', observation_count: 0 });
  expect(report.message.endsWith(` ${sentence}`), report.message).toBe(true);
});

test('[8.2] why a result did not arrive is for its caller alone, since it names addresses', () => {
  const own = { kind: 'pod-average', pod_id: 'anna', resource_url: one } as const;
  const missed = { ...own, recipients: [], failures: { [webId]: `${one} is full.` } };
  const rows = { [one]: read };
  expect(reportOn({ rows, published: [missed] })).toMatchObject({
    message: expect.stringContaining(`did not reach your Pod: ${one} is full.`),
    result_url: '',
    isPersonal: true,
  });
  const arrived = { ...own, recipients: [webId], failures: {} };
  expect(reportOn({ rows, published: [arrived] })).toMatchObject({
    isPersonal: false,
    result_url: one,
  });
  const cohort = { ...missed, kind: 'cohort-average', pod_id: 'cohort' } as const;
  for (const published of [
    [arrived, cohort],
    [cohort, arrived],
  ]) {
    expect(reportOn({ rows, published })).toMatchObject({
      message: expect.stringContaining(`the document of the cohort has not: ${one} is full.`),
      isPersonal: true,
    });
  }
});

test('of a result in which everything counts, nothing is said', () => {
  const rows = { [one]: { mayHaveEntry: true, outcome: fileWith({ heart_rate: null }) } };
  const others = [fileWith({ heart_rate: null }), fileWith({ heart_rate: null })];
  const own = { kind: 'pod-average', pod_id: 'anna', resource_url: one } as const;
  const published = [{ ...own, recipients: [webId], failures: {} }];
  // Nobody has a heart rate, so there is no figure of it.
  expect(reportOn({ rows, others, published })).toMatchObject({
    message: '',
    observation_count: 1,
    pod_count: 3,
  });
});

test.each([
  [root, 'has to raise grpc.analysis_timeout_seconds.'],
  [
    'https://far.example/anna/',
    'has to raise the seconds of https://far.example in data.allowed_origins.',
  ],
])(
  '[0.8][8.1][8.2] whose Pod is unfinished is told which limit is to be raised: %s',
  (late, expected) => {
    const { message, isPersonal } = reportOfUnfinished(late, { outcome: notAsked });
    expect(isPersonal).toBe(late.startsWith('https://far.example'));
    expect(message).toContain('it asked for 0 of 1 of your files in 9 seconds');
    expect(message).toContain(expected);
  },
);

test.each<[string, GivenRow, RegExp]>([
  [
    'too large',
    { outcome: notRead('not asked', 'the files of this Pod hold 150000 readings or more') },
    /because the files of this Pod hold 150000 readings or more\. An average/,
  ],
  [
    'without room',
    { outcome: noRoom(null) },
    /because the memory of the Analyser has no room for all new files of its Pod, until the operator of the service makes some\. An average/,
  ],
  ['not known, since the inbox could not be read,', read, /^The inbox of the Analyser could not/],
])(
  '[8.1] whose Pod is %s is told so, and not that a limit has to be raised',
  (_, file, expected) => {
    const { message } = reportOfUnfinished(root, file);
    expect(message).toMatch(expected);
    expect(message).not.toMatch(/too long|raise/);
  },
);

test('[8.1] whose Pod is unfinished is told how much of it was asked for: what gave no answer was', () => {
  const late = { outcome: notAsked };
  const around = { [folder]: listed, [two]: is('silence') };
  const { message } = reportOfUnfinished(root, late, around);
  expect(message).toContain('it asked for 2 of 3 of your files and folders in 9 seconds');
});

function reportOfUnfinished(late: string, file: GivenRow, others: Record<string, GivenRow> = {}) {
  const url = `${late}app/data/blood_pressure/1.enc.ttl`;
  const pod = podReading(podOf(late, { ...others, [url]: file }), {
    now: 0,
    windowDays: null,
    period: null,
  });
  const { data } = configSchema.parse({
    analyser: { web_id: webIdOf('analyser'), server_url: server },
    data: { allowed_origins: ['https://far.example'] },
  });
  const report = buildUnfinishedReport(pod, 9, { data });
  expect(report.status).toBe('FAILED');
  return report;
}

test('run-once is told whether anything was read', () => {
  const silent = podOfFiles('anna', [notRead('silence', '')]);
  const statuses = [[], [silent], [silent, podOfFiles('ben', [fileWith()])]].map((pods) => {
    const { results, document } = concludedOf(pods);
    return buildCommonReport(results, document).status;
  });
  expect(statuses).toEqual(['NO_DATA', 'NO_DATA', 'COMPLETED']);
});
