import { expect, test } from 'vitest';
import { podOf } from '../../../test/support/table.js';
import { discloseNothing } from '../../analysis/cohort-disclosure.js';
import { configSchema } from '../../config/schema.js';
import { podDocuments } from '../../pod/addresses.js';
import { podReading } from '../read/pod-reading.js';
import { cohortDocument, ownDocument } from './recipient-documents.js';

const server = 'https://pods.example/';
const webId = `${server}analyser/profile/card#me`;
const { sharing } = configSchema.parse({ analyser: { web_id: webId } });
const [anna, ben] = ['anna', 'ben'].map((name) =>
  podReading(podOf(`${server}${name}/`, {}), { now: 0, windowDays: null, period: null }),
);

test('figures of the cohort are those that every reader of the document may see', () => {
  if (anna === undefined || ben === undefined) throw new Error('There are two.');
  const asked: string[][] = [];
  const settings = {
    sharing,
    period: null,
    analyser: { webId, documents: podDocuments(`${server}analyser/`, 'app') },
    generatedAt: '2026-11-01T00:00:00Z',
    disclose(roots: readonly string[]) {
      asked.push([...roots]);
      return discloseNothing({ pod_count: 2 })(roots);
    },
  };
  const own = ownDocument(settings, ben, null);
  const cohort = cohortDocument(settings, [anna, ben]);
  expect(asked).toEqual([[`${server}ben/`], [`${server}anna/`, `${server}ben/`]]);
  expect(own.readers).toEqual([ben.owner.webId]);
  expect(cohort.readers).toEqual([anna.owner.webId, ben.owner.webId]);
});
