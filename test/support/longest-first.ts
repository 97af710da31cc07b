import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes long: one that began last would keep a worker busy while the others have nothing to do. */
const longest = [
  'faults/fault-matrix.long',
  'security/strangers.full',
  'workers/workers.full',
  'security/silent-pods.full',
  'faults/crash.full',
  'faults/fault-matrix.full',
  'run/time-limit.full',
  'installed.full',
  'client/demo.full',
  'upgrade.full',
  'grpc/second-service.full',
  'run/other-servers.full',
  'grpc/storage-server-faults.full',
  'run-script.full',
  'security/slow-recipients.full',
  'security/grpc-floods.full',
  'run/reading.full',
  'run/cohort-release.full',
  'client/round-trip.full',
  'web/pages.full',
  'run/reading',
  'run/publish',
  'run/together',
  'security/strangers',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place === -1 ? longest.length : place;
}
