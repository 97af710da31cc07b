import { afterAll, beforeAll, test } from 'vitest';
import {
  type FaultName,
  type FaultyAnalyses,
  prepareFaultyAnalyses,
  type RequestKind,
} from './faulty-analysis.js';

/** One of each; the whole matrix is in fault-matrix.long.test.ts. */
let analyses: FaultyAnalyses;
beforeAll(async () => {
  analyses = await prepareFaultyAnalyses();
}, 180_000);
afterAll(() => analyses.stop());

const cases: [RequestKind, FaultName][] = [
  ['inbox', 'reset'],
  ['document', 'hang'],
  ['ind-keys', '500'],
  ['reader’s inbox', '503 with Retry-After'],
  ['token', '401'],
  ['public key', '403'],
  ['reading', '404'],
  ['inbox', 'truncated'],
  ['reading', 'wrong content type'],
  ['enc-keys', 'trickle'],
  ['key', 'success that is none'],
  ['new key', 'success that is not told'],
  ['access opened', '500'],
];

test.each(cases)(
  'the request for %s met by %s: the caller is told, the next analysis is whole',
  (kind, fault) => analyses.check(kind, fault),
);
