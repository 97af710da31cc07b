import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { configSchema } from '../../config/schema.js';
import { digestOfRules } from './conclude.js';

function digestWith(analysis: object): string {
  const analyser = { web_id: 'https://pods.example/analyser/profile/card#me' };
  const data = { path_fragments: ['/data/'] };
  return digestOfRules(configSchema.parse({ analyser, data, analysis }));
}

test('figures are compared within one study period; without one, with those of before there were any', () => {
  const ofBefore =
    '[null,{"systolic":[40,300],"diastolic":[20,200],"heart_rate":[20,250]},["/data/"],false]';
  const sum = createHash('sha256').update(ofBefore).digest('base64url');
  expect(digestWith({})).toBe(sum.slice(0, 16));
  const digests = [{}, { from: '2026-03-01' }, { until: '2026-03-01' }, { from: '2026-03-02' }];
  expect(new Set(digests.map(digestWith)).size).toBe(4);
  expect(digestWith({ from: '2026-03-01' })).toBe(digestWith({ from: '2026-03-01' }));
});
