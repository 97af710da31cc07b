import { request } from 'undici';
import { ServerError } from '../base/errors.js';
import { createAgent } from './requests/proxies.js';
import { whyUnreachable } from './requests/why-unreachable.js';

const CONNECT_MS = 10_000;

/**
 * Checks that a storage server answers, without credentials and without asking for anybody's Pod. Rejects when
 * it is silent or answers 5xx.
 */
export async function probeServer(serverUrl: string, signal: AbortSignal): Promise<void> {
  const url = new URL('.well-known/openid-configuration', serverUrl.replace(/\/*$/, '/')).href;
  const dispatcher = createAgent({ connectMs: CONNECT_MS });
  let statusCode: number;
  try {
    const headers = { accept: 'application/json' };
    const answer = await request(url, { signal, headers, dispatcher });
    await answer.body.dump();
    statusCode = answer.statusCode;
  } catch (error) {
    const failure = signal.aborted ? 'slow' : 'unreachable';
    const reason = signal.aborted ? 'no answer in time' : whyUnreachable(error, url);
    throw new ServerError(failure, `${url}: ${reason}.`, { url, cause: error });
  } finally {
    await dispatcher.destroy();
  }
  if (statusCode < 500) return;
  const message = `${url} answered HTTP ${statusCode}.`;
  throw new ServerError('unavailable', message, { url, status: statusCode });
}
