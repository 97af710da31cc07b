import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes long: one that began last would keep a worker busy while the others have nothing to do. */
const longest = [
  'faults/fault-matrix.long',
  'workers/workers.full',
  'installed.full',
  'faults/crash.full',
  'faults/refused-writes.full',
  'security/strangers.full',
  'client/demo.full',
  'grpc/storage-server-faults.full',
  'client/round-trip.full',
  'run/time-limit.full',
  'run/kept-charts.full',
  'run/publish.full',
  'faults/fault-matrix.full',
  'run/other-servers.full',
  'run/reading.full',
  'run-script.full',
  'security/silent-pods.full',
  'grpc/second-service.full',
  'security/grpc-floods.full',
  'web-id-proof',
  'pages',
  'http-api',
  'run/figures',
  'run/together',
  'run/reading',
  'service/lost-thread',
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
