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
  /** Where the credentials can be deleted. */
  resource: string;
}

/** The one server that all test files share: nobody stops it, everybody creates own Pods. */
export function sharedSolidServer(): { baseUrl: string } {
  return { baseUrl: inject('solidServerUrl') };
}

let created = 0;

/** A Pod name that no other test file takes. */
export function uniquePodName(stem = 'pod'): string {
  created += 1;
  return `${stem}-${process.pid.toString(36)}-${created}`;
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
