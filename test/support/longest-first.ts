import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes minutes: one that began last would keep a worker busy while the others have nothing to do. */
const longest = [
  'faults/crash',
  'client/demo',
  'security/silent-pods',
  'faults/fault-matrix',
  'run/other-servers',
  'scale/scale',
  'run/cohort-release',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.full.test.ts`));
  return place === -1 ? longest.length : place;
}
