import type { Config } from '../../src/config/schema.js';
import type { ThreadData } from '../../src/service/between-threads.js';
import type { Pauses } from '../../src/service/readiness.js';
import { nowhere } from './no-log.js';
import { testBuild } from './test-build.js';

export interface Credentials {
  securityKey: string;
  clientId: string;
  clientSecret: string;
}

/** What an analysis thread is started with, one that says and counts nothing. */
export function silentThread(
  config: Config,
  { securityKey, clientId, clientSecret }: Credentials,
  pauses?: Pauses,
): ThreadData {
  return {
    config,
    secrets: { securityKey, clientId, clientSecret, grpcToken: null, redisUrl: null },
    build: testBuild.digest,
    verbose: false,
    logTo: nowhere,
    ...(pauses && { pauses }),
  };
}
