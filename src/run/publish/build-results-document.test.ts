import { expect, test } from 'vitest';
import { boundWarnings } from './build-results-document.js';

const url = (index: number) => `https://pods.example/anna/app/data/${index}.json.enc.ttl`;

test('a few warnings stay as they are, in their order', () => {
  const warnings = [`${url(1)}: access was revoked`, 'The memory is full.', `${url(2)}: too large`];
  expect(boundWarnings(warnings)).toEqual([warnings[0], warnings[1], warnings[2]]);
});

test('many of one kind are counted, whatever their addresses', () => {
  const warnings = Array.from({ length: 1000 }, (_, index) => `${url(index)}: access was revoked`);
  const bounded = boundWarnings(warnings);
  expect(bounded.slice(0, 20)).toEqual(warnings.slice(0, 20));
  expect(bounded.slice(20)).toEqual(['… and 980 more: access was revoked']);
});

test('many kinds take no more than 20 kB', () => {
  const warnings = Array.from({ length: 1000 }, (_, index) => `Kind ${index} ${'x'.repeat(400)}`);
  const bounded = boundWarnings(warnings);
  expect(Buffer.byteLength(bounded.join(''))).toBeLessThan(20_100);
  expect(bounded.at(-1)).toBe(`… and ${1000 - bounded.length + 1} more warnings of other kinds`);
});

test('a warning too long is cut between words, so that no part of an address stays', () => {
  const names = Array.from({ length: 40 }, (_, n) => `https://pods.example/person-${n}/`);
  const [bounded = ''] = boundWarnings([`Not read: ${names.join(' ')}`]);
  const kept = bounded.match(/https\S*/g) ?? [];
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.filter((address) => !names.includes(address))).toEqual([]);
});
