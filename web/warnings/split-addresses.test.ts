import { expect, test } from 'vitest';
import type { PodEntry } from '../../src/documents/results-document.js';
import { splitAddresses } from './split-addresses.js';

const none = { average: null, minimum: null, maximum: null, standard_deviation: null, count: 0 };

function podAt(name: string): PodEntry {
  const pod_root = `https://pods.example.org/${name}/`;
  return {
    pod_id: `pods.example.org-${name}`,
    web_id: `${pod_root}profile/card#me`,
    pod_root,
    observation_count: 0,
    files_read: 0,
    files_skipped: 0,
    included_in_cohort: true,
    first_observation: null,
    last_observation: null,
    measures: { systolic: none, diastolic: none, heart_rate: none },
    notes: [],
  };
}

const [eve, eva] = [podAt('eve'), podAt('eva')];
const pods = [eve, eva];

test.each([
  [
    `${eve.pod_root}data/a.ttl: could not be decrypted.`,
    [{ pod: eve, path: 'data/a.ttl' }, ': could not be decrypted.'],
  ],
  [
    `Files of ${eva.web_id} were those of ${eve.pod_root} before.`,
    [
      'Files of ',
      { pod: eva, path: 'profile/card#me' },
      ' were those of ',
      { pod: eve, path: '' },
      ' before.',
    ],
  ],
  ['https://pods.example.org/evelyn/a.ttl: gone', ['https://pods.example.org/evelyn/a.ttl: gone']],
  ['No address', ['No address']],
  ['', []],
])('%j', (text, pieces) => {
  expect(splitAddresses(text, pods)).toEqual(pieces);
});
