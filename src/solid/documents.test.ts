import { expect, test } from 'vitest';
import { isDirectMember } from './documents.js';

const FOLDER = 'http://localhost:3000/alice/app/data/';

test.each([
  [`${FOLDER}a.ttl`, true],
  [`${FOLDER}inner/`, true],
  [`${FOLDER}x%3Ay.ttl`, true],
  [FOLDER, false],
  [`${FOLDER}inner/a.ttl`, false],
  [`${FOLDER}../../secret.ttl`, false],
  [`${FOLDER}%2e%2e/`, false],
  [`${FOLDER}..`, false],
  [`${FOLDER}a.ttl?x`, false],
  [`${FOLDER}a.ttl#x`, false],
  ['http://localhost:3000/alice/other.ttl', false],
  ['https://evil.example/alice/app/data/a.ttl', false],
])('%s lies directly inside of the folder: %s', (member, inside) => {
  expect(isDirectMember(member, FOLDER)).toBe(inside);
});
