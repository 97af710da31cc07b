import { AnalyserError } from '../base/errors.js';
import { readIssuers } from '../solid/documents/profile-issuers.js';
import { createSolidClient } from '../solid/http-solid-client.js';
import { stoppedBy } from '../solid/stopped-by.js';
import { translateErrors } from './translate-errors.js';

const LONGEST_PROFILE = 1_048_576;

/**
 * The server to log in to, as the profile of the WebID names it: one below a path, or with a host for
 * each Pod, has another address than the WebID. Null when the profile does not tell.
 */
export function findServer(webId: string, signal?: AbortSignal): Promise<string | null> {
  return translateErrors(signal, async () => {
    const serverUrl = new URL('/', webId).href;
    const client = createSolidClient({ serverUrl, credentials: null });
    try {
      const limits = { maxBytes: LONGEST_PROFILE, asStored: true, tries: 1 };
      const named = await readIssuers(stoppedBy(client, signal), webId, limits);
      const issuers = named.filter((issuer) => isAsSafe(issuer, webId));
      return issuers.find((issuer) => webId.startsWith(issuer)) ?? issuers[0] ?? null;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof AnalyserError) return null;
      throw error;
    } finally {
      await client.close();
    }
  });
}

/** Passwords go there, so a WebID on https names no server without. */
function isAsSafe(issuer: string, webId: string): boolean {
  if (!URL.canParse(issuer)) return false;
  const { protocol } = new URL(issuer);
  return protocol === 'https:' || (protocol === 'http:' && webId.startsWith('http:'));
}
