import { inject } from 'vitest';
import { ServerError } from '../../src/base/errors.js';
import {
  createAccount,
  createAccountPod,
  issueClientCredentials,
} from '../../src/solid/css-account.js';

export interface TestPod {
  webId: string;
  /** Ends in a slash. */
  root: string;
  email: string;
  password: string;
  clientId: string;
  clientSecret: string;
}

/**
 * One of the servers that all test files share, the same for all files of a worker: nobody stops it,
 * everybody creates own Pods.
 */
export function sharedSolidServer(): { baseUrl: string; rootDir: string } {
  const servers = inject('solidServers');
  const server = servers[Number(process.env['VITEST_POOL_ID']) % servers.length];
  if (server === undefined) throw new Error('VITEST_POOL_ID is not the number of a worker');
  return server;
}

let created = 0;

/** A Pod name that no other test file takes; names sort in the order in which they were made. */
export function uniquePodName(stem = 'pod'): string {
  created += 1;
  return `${stem}-${process.pid.toString(36)}-${String(created).padStart(4, '0')}`;
}

/** A server that is busy with other tests can lose an account or a Pod that it was about to create. */
export async function createPod(
  server: { baseUrl: string },
  name = uniquePodName(),
  tried = 1,
): Promise<TestPod> {
  const login = { email: `${name}-${tried}@pods.example`, password: `password of ${name}` };
  try {
    const account = await createAccount(server.baseUrl, login);
    // What is left of a first try keeps its name.
    const podName = tried === 1 ? name : `${name}-${tried}`;
    const { webId, root } = await createAccountPod(account, podName);
    const credentials = await issueClientCredentials(account, { name: 'test', webId });
    return { webId, root, ...login, ...credentials };
  } catch (error) {
    const isBusy = error instanceof ServerError && error.failure === 'unavailable';
    if (!isBusy || tried === 3) throw error;
    return await createPod(server, name, tried + 1);
  }
}
