import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  appliesTo,
  type FaultName,
  type FaultyAnalyses,
  faults,
  prepareFaultyAnalyses,
  requestKinds,
} from './faulty-analysis.js';

let analyses: FaultyAnalyses;
beforeAll(async () => {
  analyses = await prepareFaultyAnalyses();
}, 180_000);
afterAll(() => analyses.stop());

const names = Object.keys(faults).filter((name): name is FaultName => name in faults);

describe.each(requestKinds)('the request for: %s', (kind) => {
  test.each(names.filter((fault) => appliesTo(fault, kind)))(
    'met by: %s',
    (fault) => analyses.check(kind, fault),
    120_000,
  );
});
