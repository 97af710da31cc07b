import { beforeEach, describe, expect, test } from 'vitest';
import {
  documentFor,
  keyOf,
  keysReceived,
  publishers,
  publishingOf,
} from '../../../test/support/publishing.js';
import { refuse } from '../../../test/support/recording-client.js';
import { podOf } from '../../../test/support/table.js';
import { ServerError, type ServerFailure } from '../../base/errors.js';
import { logStatements } from '../../pod/sharing/permissions-log.js';
import type { SolidClient, SolidRequest } from '../../solid/solid-client.js';
import { podReading } from '../read/pod-reading.js';
import { HandOvers, handOver, listPublished, logGrantsOfAnalyser } from './hand-over.js';
import type { Written } from './recipient-documents.js';

let { server, analyser, person } = await publishers('anna');
const anna = person('anna');
const rules = { now: 0, windowDays: null, period: null };
const reading = podReading(podOf(anna.root, {}), rules);
const { sharedKeys: inbox, permissionsLog: log } = anna.pod.documents;

const written = ({ kind, podId, url }: Pick<Written, 'kind' | 'podId' | 'url'>): Written => ({
  kind,
  podId,
  url,
  key: keyOf(url),
  hasSentFigures: false,
  failure: null,
});
const own = written(documentFor(analyser, [anna]));
const cohort = written({
  kind: 'cohort-average',
  podId: 'cohort',
  url: `${analyser.root}app/data/analyser/cohort/bp-cohort-average.json.enc.ttl`,
});
const failed = (document: Written, failure: ServerFailure = 'refused'): Written => {
  const why = new ServerError(failure, `${document.podId} is full.`, { url: document.url });
  return { ...document, key: null, failure: why };
};

const time = new Date('2026-11-01T06:00:00Z');
async function handedOver(
  documents: { own: Written; cohort: Written | null },
  client: SolidClient = analyser.client,
) {
  const publishing = publishingOf(analyser, client);
  const how = { handOvers: new HandOvers(), now: () => time };
  const result = { pod: reading, own: documents.own };
  const outcome = await handOver(publishing, result, documents.cohort, how);
  return { outcome, requests: publishing.requests };
}

const both = [own.url, cohort.url];
/** Which of both documents the Pod of Anna has a key of, and a line about. */
const received = async () => ({
  keys: await Promise.all(both.map((url) => keysReceived(person('anna'), url))),
  lines: both.map((url) => (server.textOf(log) ?? '').includes(`;${url};`)),
});
const to = (...urls: string[]) => both.map((url) => (urls.includes(url) ? [keyOf(url)] : []));

/** What a test leaves behind touches no other. */
beforeEach(async () => {
  ({ server, analyser, person } = await publishers('anna'));
});

describe('a recipient is handed', () => {
  test('the keys of both documents, and a line in the log for each', async () => {
    const { outcome } = await handedOver({ own, cohort });
    expect(await received()).toEqual({ keys: to(...both), lines: [true, true] });
    const [forOwn, forCohort] = [own, cohort].map(({ kind, podId, url }) => ({
      kind,
      pod_id: podId,
      resource_url: url,
      recipients: [anna.webId],
      failures: {},
    }));
    const { granted, ...rest } = outcome;
    // Strictly: a reason that is undefined would tell the caller that the message is theirs alone.
    expect(rest).toStrictEqual({ own: forOwn, cohort: forCohort, warnings: [], errors: [] });
    expect(granted).toHaveLength(2);
  });

  test('one key where there is no document of the cohort', async () => {
    const { outcome } = await handedOver({ own, cohort: null });
    expect(await received()).toEqual({ keys: to(own.url), lines: [true, false] });
    expect([outcome.cohort, outcome.granted.length]).toEqual([null, 1]);
  });

  test('no key of what is not encrypted, and a line all the same', async () => {
    const plain = { own: { ...own, key: null }, cohort: { ...cohort, key: null } };
    const { outcome, requests } = await handedOver(plain);
    expect(await received()).toEqual({ keys: to(), lines: [true, true] });
    expect(requests.map(({ url }) => url)).toEqual([log]);
    expect(outcome.own.recipients).toEqual([anna.webId]);
  });

  test('[7.2] nothing without a document of their own, and no key of the cohort', async () => {
    const { outcome, requests } = await handedOver({ own: failed(own), cohort });
    expect(await received()).toEqual({ keys: to(), lines: [false, false] });
    expect(requests).toEqual([]);
    const why = 'the document could not be written: some-pod is full.';
    for (const record of [outcome.own, outcome.cohort]) {
      expect(record).toMatchObject({ recipients: [], failures: { [anna.webId]: why } });
    }
    expect(outcome).toMatchObject({
      warnings: [`The result of ${anna.webId} was not published: ${why}`],
      errors: [{ message: 'some-pod is full.' }],
      granted: [],
    });
  });

  test('their own key where the document of the cohort could not be written', async () => {
    const { outcome } = await handedOver({ own, cohort: failed(cohort) });
    expect(await received()).toEqual({ keys: to(own.url), lines: [true, false] });
    const why = 'the document could not be written: cohort is full.';
    expect(outcome).toMatchObject({
      own: { recipients: [anna.webId], failures: {} },
      cohort: { recipients: [], failures: { [anna.webId]: why } },
      warnings: [`The result of the cohort was not published: ${why}`],
      errors: [{ message: 'cohort is full.' }],
    });
  });
});

describe('whose Pod', () => {
  const changing =
    (wanted: string) =>
    (url: string, { method }: SolidRequest = {}) =>
      url === wanted && method === 'PATCH';

  test('[8.1] refuses the keys is told why, and no line says that they were granted', async () => {
    const { outcome } = await handedOver({ own, cohort }, refuse(analyser.client, changing(inbox)));
    expect(await received()).toEqual({ keys: to(), lines: [false, false] });
    const why = `${inbox} answered HTTP 507.`;
    expect(outcome).toMatchObject({
      own: { recipients: [], failures: { [anna.webId]: why } },
      cohort: { recipients: [], failures: { [anna.webId]: why } },
      warnings: both.map((url) => `${anna.webId} did not receive the key of ${url}: ${why}`),
      errors: [],
      granted: [],
    });
  });

  test('refuses the login is a fault on our side, so that the next analysis logs in again', async () => {
    const client = refuse(analyser.client, changing(inbox), 'login');
    const { outcome } = await handedOver({ own, cohort }, client);
    expect(outcome.errors).toMatchObject([{ failure: 'login' }]);
  });

  test('refuses the line has the key, and the operator is told', async () => {
    const { outcome } = await handedOver(
      { own, cohort: null },
      refuse(analyser.client, changing(log)),
    );
    expect(await received()).toEqual({ keys: to(own.url), lines: [false, false] });
    expect(outcome.own.recipients).toEqual([anna.webId]);
    expect(outcome.granted).toHaveLength(1);
    expect(outcome.warnings).toEqual([
      `The grant to ${anna.webId} could not be written to their permission log: ${log} answered HTTP 507.`,
    ]);
  });
});

test('what is published lists each own result, and that of the cohort once with all its recipients', () => {
  const nothing = { warnings: [], errors: [], granted: [] };
  const record = (podId: string, webId: string, failure?: string) => ({
    kind: 'pod-average' as const,
    pod_id: podId,
    resource_url: podId,
    recipients: failure === undefined ? [webId] : [],
    failures: failure === undefined ? {} : { [webId]: failure },
  });
  const outcomes = [
    { own: record('a', 'anna'), cohort: record('cohort', 'anna'), ...nothing },
    { own: record('b', 'ben'), cohort: record('cohort', 'ben', 'It is full.'), ...nothing },
    { own: record('c', 'cleo'), cohort: record('cohort', 'cleo'), ...nothing },
  ];
  const ofAll = outcomes.map((outcome) => outcome.own);
  expect(listPublished(outcomes)).toEqual([
    ...ofAll,
    {
      ...record('cohort', 'anna'),
      recipients: ['anna', 'cleo'],
      failures: { ben: 'It is full.' },
    },
  ]);
  const without = outcomes.map((outcome) => ({ ...outcome, cohort: null }));
  expect(listPublished(without)).toEqual(ofAll);
});

describe('the log of the Analyser', () => {
  const ownLog = analyser.pod.documents.permissionsLog;
  const lines = (count: number) =>
    logStatements({
      ownerWebId: analyser.webId,
      recipientWebId: anna.webId,
      urls: Array.from({ length: count }, (_, nth) => `https://pods.example/${nth}`),
      action: 'grant',
      time,
    });

  test('gets all lines', async () => {
    server.put(ownLog, '');
    expect(await logGrantsOfAnalyser(publishingOf(analyser, analyser.client), lines(3))).toEqual(
      [],
    );
    expect(server.triplesOf(ownLog)).toHaveLength(3);
  });

  test('that fails on the way says how many lines are missing', async () => {
    let changes = 0;
    const client = refuse(analyser.client, (_, { method } = {}) => {
      if (method === 'PATCH') changes += 1;
      return changes > 1;
    });
    expect(await logGrantsOfAnalyser(publishingOf(analyser, client), lines(2_100))).toEqual([
      `1100 lines could not be written into the Analyser\'s own permission log, ${ownLog}, and will be missing there: ${ownLog} answered HTTP 507.`,
    ]);
    expect(changes).toBe(2);
  });
});
