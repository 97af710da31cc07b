import { ServerError } from '../base/errors.js';
import { createSolidClient } from './http-solid-client.js';

/** One question, answered within nine seconds: the next one is asked soon enough. */
const impatient = {
  timeouts: { answerMs: 9_000, totalMs: 9_000 },
  policy: { tries: 1, slowTries: 1, mostRefusals: 1 },
};
const TOO_MANY_REQUESTS = 429;

/**
 * Checks that a storage server answers, without credentials and without asking for anybody's Pod. Rejects when
 * it is silent or answers 5xx.
 */
export async function probeServer(serverUrl: string, signal: AbortSignal): Promise<void> {
  const client = createSolidClient({ serverUrl, credentials: null, ...impatient });
  try {
    const url = new URL('.well-known/openid-configuration', serverUrl.replace(/\/*$/, '/')).href;
    await client.request(url, { headers: { accept: 'application/json' }, signal });
  } catch (error) {
    const isUp = error instanceof ServerError && error.details.status === TOO_MANY_REQUESTS;
    if (!isUp) throw error;
  } finally {
    await client.close();
  }
}
