import { expect, test } from 'vitest';
import { podOf } from '../../../test/support/table.js';
import { configSchema } from '../../config/schema.js';
import { foreignKey } from '../../pod/outcome.js';
import { analysisRules } from '../analysis-rules.js';
import { podReading } from '../read/pod-reading.js';
import { foreignKeyWarnings, settlementWarnings } from './settlement-warnings.js';

const analyser = { web_id: 'https://pods.example/analyser/profile/card#me' };
const rules = analysisRules(configSchema.parse({ analyser }), new Date());

test('in the command that an operator pastes, an address that a stranger has chosen is one word', () => {
  const root = "https://pods.example/$(id);'y'/";
  const url = `${root}app/data/blood_pressure/1.enc.ttl`;
  const row = { hasEntry: true, outcome: foreignKey, foreign: new Set(['another Pod']) };
  const pod = podReading(podOf(root, { [url]: row, [`${url}.2`]: row }), rules);
  // One for all files with keys of the same Pod.
  expect(foreignKeyWarnings([pod])).toEqual([
    expect.stringMatching(
      /forget <its WebID> --keys-to 'https:\/\/pods\.example\/\$\(id\);'\\''y'\\''\/profile\/card#me'$/,
    ),
  ]);
});

test('the operator is told whose newest keys are not remembered', () => {
  const pods = ['anna', 'clara'].map((name) => {
    const pod = podReading(podOf(`https://pods.example/${name}/`, {}, emptyMemory()), rules);
    return { ...pod, standing: { kind: 'empty' as const } };
  });
  const crowded = new Set(pods.slice(0, 1).map(({ digest }) => digest));
  const [warning, ...more] = settlementWarnings(pods, { letGo: [], crowded });
  expect(warning).toMatch(
    /^Too many keys .*: the newest of https:\/\/pods\.example\/anna\/profile\/card#me are not/,
  );
  expect(more).toEqual([]);
});
