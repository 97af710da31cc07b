import { describe, expect, test } from 'vitest';
import type { PodRecord } from '../documents/results-document.js';
import { type Arrangement, arrangePods, readArrangement } from './arrange-pods.js';

const empty = { average: null, minimum: null, maximum: null, standard_deviation: null, count: 0 };

function pod(id: string, systolic: number | null, over: Partial<PodRecord> = {}): PodRecord {
  return {
    pod_id: `pods.example.org-${id}`,
    web_id: `https://pods.example.org/${id}/profile/card#me`,
    pod_root: `https://pods.example.org/${id}/`,
    observation_count: 3,
    files_read: 3,
    files_skipped: 0,
    included_in_cohort: true,
    first_observation: null,
    last_observation: null,
    measures: {
      systolic: { ...empty, average: systolic },
      diastolic: empty,
      heart_rate: empty,
    },
    notes: [],
    ...over,
  };
}

const pods = [
  pod('p10', 121.5, {
    last_observation: '2026-11-02T00:00:00+00:00',
    files_skipped: 2,
  }),
  pod('p2', null, {
    included_in_cohort: false,
    observation_count: 0,
    web_id: 'https://Two.example/card#me',
  }),
  pod('p1', 118.2, {
    last_observation: '2026-11-01T23:00:00-05:00',
    carried: {
      from: '2026-10-31',
      observation_count: 3,
      measures: { systolic: empty, diastolic: empty, heart_rate: empty },
    },
  }),
];

function names(arrangement: Partial<Arrangement>): string[] {
  const params = new URLSearchParams();
  return arrangePods(pods, { ...readArrangement(params), ...arrangement }).map((one) =>
    one.pod_id.replace('pods.example.org-', ''),
  );
}

describe('the table of Pods', () => {
  test.each<[Partial<Arrangement>, string[]]>([
    [{}, ['p1', 'p2', 'p10']],
    [{ descending: true }, ['p10', 'p2', 'p1']],
    [{ column: 'systolic' }, ['p1', 'p10', 'p2']],
    [{ column: 'systolic', descending: true }, ['p10', 'p1', 'p2']],
    [{ column: 'last' }, ['p10', 'p1', 'p2']],
    [{ column: 'files', descending: true }, ['p10', 'p1', 'p2']],
    [{ column: 'readings' }, ['p2', 'p1', 'p10']],
    [{ column: 'included', descending: true }, ['p2', 'p1', 'p10']],
    [{ filter: 'included' }, ['p1', 'p10']],
    [{ filter: 'earlier' }, ['p1']],
    [{ filter: 'left-out' }, ['p2']],
    [{ text: ' P1' }, ['p1', 'p10']],
    [{ text: 'card#me' }, ['p1', 'p2', 'p10']],
    [{ text: 'two.EXAMPLE' }, ['p2']],
    [{ text: 'nobody' }, []],
  ])('arranged by %j shows %j', (arrangement, expected) => {
    expect(names(arrangement)).toEqual(expected);
  });

  test('the order of the document is left alone', () => {
    names({ column: 'systolic' });
    expect(pods.map((one) => one.pod_id.at(-1))).toEqual(['0', '2', '1']);
  });

  test.each<[string, Partial<Arrangement>]>([
    [
      'sort=-diastolic&q=al+ice%26&show=left-out',
      { column: 'diastolic', descending: true, text: 'al ice&', filter: 'left-out' },
    ],
    ['sort=last', { column: 'last' }],
    ['sort=__proto__&show=none', {}],
    ['sort=--pod', {}],
  ])('the query %j asks for %j, and what it should not say is ignored', (query, asked) => {
    const standard = { column: 'pod', descending: false, text: '', filter: 'all' };
    expect(readArrangement(new URLSearchParams(query))).toEqual({ ...standard, ...asked });
  });
});
