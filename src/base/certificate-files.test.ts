import { expect, test } from 'vitest';
import { judgeValidity } from './certificate-files.js';

const valid = { validFrom: 'Sep  1 00:00:00 2026 GMT', validTo: 'Dec  1 00:00:00 2026 GMT' };

test.each([
  ['2026-11-16T23:59:59Z', null],
  ['2026-11-17T00:00:01Z', /expires in 13 days/],
  ['2026-11-30T12:00:00Z', /expires in 0 days/],
  ['2026-12-01T00:00:00Z', /expired on 2026-12-01/],
  ['2026-08-31T23:59:59Z', /valid only from 2026-09-01/],
])('a certificate on %s', (now, expected) => {
  const problem = judgeValidity('/etc/tls.pem', valid, new Date(now));
  if (expected === null) expect(problem).toBeNull();
  else expect(problem?.message).toMatch(expected);
});
