import { beforeEach, describe, expect, test } from 'vitest';
import { clientFor } from '../../../test/simulation/people/person.js';
import { documentFor, keyOf, publishers, publishingOf } from '../../../test/support/publishing.js';
import { refuse } from '../../../test/support/recording-client.js';
import { podOf, readWith } from '../../../test/support/table.js';
import type { ServerFailure } from '../../base/errors.js';
import { cohortAverageSchema, podAverageSchema } from '../../documents/published-document.js';
import { openResource } from '../../pod/formats/encrypted-resource.js';
import type { SolidRequest } from '../../solid/solid-client.js';
import { podReading } from '../read/pod-reading.js';
import {
  closeToReaders,
  cohortAddress,
  cohortDocument,
  ownAddress,
  ownDocument,
  type PublicationSettings,
  resultsFolder,
  writeForRecipients,
} from './recipient-documents.js';

let { server, analyser, person } = await publishers('anna', 'ben');
const [anna, ben] = [person('anna'), person('ben')];
const [forAnna, forBen] = [documentFor(analyser, [anna]), documentFor(analyser, [ben])];
const { url } = forAnna;

/** What a test leaves behind touches no other. */
beforeEach(async () => {
  ({ server, analyser, person } = await publishers('anna', 'ben'));
});

/** Who may read the document, besides the Analyser; null stands for everybody. */
const readersNow = () =>
  [anna.webId, ben.webId, null].filter((agent) => server.modesOf(url, agent).size > 0);

/** A client of the Analyser, and who could read the document when each of its requests came. */
function watched() {
  const seen: [request: string, readers: (string | null)[]][] = [];
  const client = clientFor(server, analyser.webId, {
    intercept: ({ method, url: asked }, serve) => {
      const what = asked.endsWith('.acl') ? 'rules' : 'document';
      seen.push([`${method} ${what}`, readersNow()]);
      return serve();
    },
  });
  return { client, seen };
}

/** What stands there, opened. */
async function textThere(): Promise<string | undefined> {
  const body = Buffer.from(server.textOf(url) ?? '');
  return (await openResource(body, url, [keyOf(url)]))?.text;
}

/** As before the first analysis, or as it left the document of Anna. */
async function begin(what: 'nothing' | 'of Anna' | 'without rules'): Promise<void> {
  const { client } = watched();
  if (what === 'nothing') return;
  await writeForRecipients(publishingOf(analyser, client), forAnna);
  if (what === 'without rules') await client.request(`${url}.acl`, { method: 'DELETE' });
}

const isOfDocument = (asked: string, { method }: SolidRequest = {}) =>
  asked === url && method === 'PUT';
const isOfRules = (asked: string, { method }: SolidRequest = {}) =>
  asked === `${url}.acl` && method === 'PUT';

describe('[7.1] a document is open to nobody before its content is there', () => {
  test.each(['nothing', 'without rules'] as const)(
    'and then to its reader alone, where there was %s',
    async (before) => {
      await begin(before);
      const { client, seen } = watched();
      const written = await writeForRecipients(publishingOf(analyser, client), forAnna);
      expect(seen).toEqual([
        ['GET rules', []],
        ['PUT rules', []],
        ['PUT document', []],
        ['PUT rules', []],
      ]);
      expect([readersNow(), await textThere()]).toEqual([[anna.webId], forAnna.text]);
      expect(written).toEqual({
        kind: forAnna.kind,
        podId: forAnna.podId,
        url,
        key: keyOf(url),
        hasSentFigures: true,
        failure: null,
      });
    },
  );

  test('and the reader of the earlier one is shut out first', async () => {
    await begin('of Anna');
    const { client, seen } = watched();
    await writeForRecipients(publishingOf(analyser, client), forBen);
    expect(seen).toEqual([
      ['GET rules', [anna.webId]],
      ['PUT rules', [anna.webId]],
      ['PUT document', []],
      ['PUT rules', []],
    ]);
    expect([readersNow(), await textThere()]).toEqual([[ben.webId], forBen.text]);
  });

  test('while the same reader keeps their access, in one write', async () => {
    await begin('of Anna');
    const { client, seen } = watched();
    await writeForRecipients(publishingOf(analyser, client), { ...forAnna, text: '{}' });
    expect(seen).toEqual([
      ['GET rules', [anna.webId]],
      ['PUT document', [anna.webId]],
    ]);
    expect(await textThere()).toBe('{}');
  });
});

describe('[7.1] a document that could not be written', () => {
  test.each<[ServerFailure, boolean, 'nothing' | 'of Anna', 'anna' | null]>([
    // The earlier text still stands there.
    ['refused', false, 'of Anna', 'anna'],
    ['refused', false, 'nothing', null],
    // Nobody knows which text stands there.
    ['slow', true, 'of Anna', null],
    ['unavailable', true, 'nothing', null],
  ])(
    '[8.4] (%s) has perhaps sent figures: %s; and there was %s',
    async (failure, sent, before, reader) => {
      await begin(before);
      const client = refuse(watched().client, isOfDocument, failure);
      const written = await writeForRecipients(publishingOf(analyser, client), forBen);
      expect(written).toMatchObject({ key: null, hasSentFigures: sent, failure: { failure } });
      expect(readersNow()).toEqual(reader === null ? [] : [anna.webId]);
    },
  );

  test('sends no figures where it holds none, and its reader keeps the earlier one', async () => {
    await begin('of Anna');
    const without = { ...forAnna, hasCohortFigures: false };
    for (const failure of ['slow', 'refused'] as const) {
      const { client, seen } = watched();
      const publishing = publishingOf(analyser, refuse(client, isOfDocument, failure));
      const written = await writeForRecipients(publishing, without);
      expect(written).toMatchObject({ hasSentFigures: false, failure: { failure } });
      expect([readersNow(), seen.map(([request]) => request)]).toEqual([
        [anna.webId],
        ['GET rules'],
      ]);
    }
  });

  test('is not written at all while nobody can be shut out', async () => {
    await begin('of Anna');
    const client = refuse(watched().client, isOfRules);
    const written = await writeForRecipients(publishingOf(analyser, client), forBen);
    expect(written).toMatchObject({ key: null, hasSentFigures: false });
    expect(await textThere()).toBe(forAnna.text);
  });

  test('is not tried where rules of access are kept in another way', async () => {
    const publishing = publishingOf(analyser, watched().client);
    const { connection } = publishing;
    connection.pod = { ...connection.pod, hasAccessLists: false };
    const { failure } = await writeForRecipients(publishing, forAnna);
    expect(failure?.message).toContain(analyser.root);
    expect(publishing.requests).toEqual([]);
  });
});

test('[7.1] without keys a document is plain JSON, for its reader alone', async () => {
  await begin('nothing');
  const publishing = { ...publishingOf(analyser, watched().client), keyOf: null };
  expect(await writeForRecipients(publishing, forAnna)).toMatchObject({ key: null, failure: null });
  expect([server.textOf(url), readersNow()]).toEqual([forAnna.text, [anna.webId]]);
  const { headers } = await person('anna').client.request(url);
  expect(headers['content-type']).toBe('application/json');
});

test('a document is closed once, and one that is closed or was never there is only asked about', async () => {
  const close = async () => {
    const { client, seen } = watched();
    await closeToReaders({ client, pod: analyser.pod }, url);
    return seen.map(([request]) => request);
  };
  await begin('nothing');
  expect(await close()).toEqual(['GET rules']);
  await begin('of Anna');
  expect(await close()).toEqual(['GET rules', 'PUT rules']);
  expect([readersNow(), await textThere()]).toEqual([[], forAnna.text]);
  expect(await close()).toEqual(['GET rules']);
});

describe('what stands in a document', () => {
  const file = `${anna.root}app/data/blood_pressure/1.enc.ttl`;
  const read = podReading(podOf(anna.root, { [file]: { outcome: readWith(null) } }), {
    now: 0,
    windowDays: null,
    period: null,
  });
  const other = { ...read, owner: { ...read.owner, root: ben.root, webId: ben.webId } };
  const none = { systolic: null, diastolic: null, heart_rate: null };
  const some = { systolic: 121, diastolic: null, heart_rate: null };
  const settingsWith = (change: Partial<PublicationSettings> = {}) =>
    publishingOf(analyser, analyser.client, change).settings;
  /** The figures are those of the Pods for which they are asked. */
  const disclosing = settingsWith({
    disclose: (roots) => ({
      average_of_averages: { ...none, systolic: roots.length },
      pooled_average: roots.includes(anna.root) ? some : none,
    }),
  });

  test('[7.3] the own one is for its owner, below their pod_id, with what they alone may see', () => {
    const { text, ...own } = ownDocument(disclosing, read, Buffer.from('a picture'));
    expect(own).toEqual({
      podId: read.owner.podId,
      url: `${analyser.root}app/data/analyser/${read.owner.podId}/bp-average.json.enc.ttl`,
      kind: 'pod-average',
      readers: [anna.webId],
      hasCohortFigures: true,
    });
    expect(own.url).toBe(ownAddress(disclosing, read.owner.podId));
    const content = podAverageSchema.parse(JSON.parse(text));
    expect(content.cohort).toEqual({
      pod_count: 7,
      average_of_averages: { ...none, systolic: 1 },
      pooled_average: some,
    });
    expect(content.pod).toMatchObject({ files_read: 1, files_skipped: 0 });
    expect(Buffer.from(content.chart?.data ?? '', 'base64').toString()).toBe('a picture');
  });

  test('[5.8] that of the cohort is for all of them, with what each of them may see', () => {
    const { text, ...cohort } = cohortDocument(disclosing, [read, other]);
    expect(cohort).toEqual({
      podId: 'cohort',
      url: `${analyser.root}app/data/analyser/cohort/bp-cohort-average.json.enc.ttl`,
      kind: 'cohort-average',
      readers: [anna.webId, ben.webId],
      hasCohortFigures: true,
    });
    expect(cohort.url).toBe(cohortAddress(disclosing));
    expect(cohort.url.startsWith(resultsFolder(disclosing))).toBe(true);
    expect(resultsFolder(disclosing)).toBe(`${analyser.root}app/data/analyser/`);
    const { average_of_averages, pooled_average } = cohortAverageSchema.parse(
      JSON.parse(text),
    ).cohort;
    expect([average_of_averages, pooled_average]).toEqual([{ ...none, systolic: 2 }, some]);
  });

  test.each([
    [none, none, false],
    [some, none, true],
    [none, some, true],
  ])(
    '[8.4] it has figures of the cohort where there is one: %j, %j',
    (average_of_averages, pooled_average, has) => {
      const settings = settingsWith({ disclose: () => ({ average_of_averages, pooled_average }) });
      const documents = [ownDocument(settings, read, null), cohortDocument(settings, [read])];
      expect(documents.map(({ hasCohortFigures }) => hasCohortFigures)).toEqual([has, has]);
    },
  );

  test('a period, noise and a chart are told where there are some', () => {
    const [period, noise] = [
      { from: '2026-01-01', until: null },
      { ...none, systolic: 3 },
    ];
    const contentWith = (change: Partial<PublicationSettings>) =>
      podAverageSchema.parse(JSON.parse(ownDocument(settingsWith(change), read, null).text));
    expect(contentWith({ period, noise })).toMatchObject({ period, cohort_noise: noise });
    const without = contentWith({});
    expect([without.period, without.cohort_noise, without.chart]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
