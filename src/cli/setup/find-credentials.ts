import { ServerError } from '../../base/errors.js';
import type { FoundSecrets } from '../../config/secrets.js';
import {
  type CssAccount,
  deleteClientCredentials,
  issueClientCredentials,
} from '../../solid/css-account.js';
import { createSolidClient } from '../../solid/http-solid-client.js';
import type { ClientCredentials } from '../../solid/login/login.js';
import type { HttpSolidClient } from '../../solid/solid-client.js';
import type { AnalyserIdentity } from './config-files.js';

/**
 * Keeps credentials that work; otherwise issues new ones, since a secret is shown only once.
 * `withdraw` deletes those that were issued just now but could not be stored.
 */
export async function findCredentials(
  account: CssAccount,
  pod: Pick<AnalyserIdentity, 'webId' | 'serverUrl'> & {
    encKeys: string;
    found: FoundSecrets | null;
  },
  say: (step: string, finding: string) => void,
  signal: AbortSignal,
) {
  const { webId, serverUrl, encKeys } = pod;
  const { clientId, clientSecret } = pod.found ?? {};
  const open = (credentials: ClientCredentials) =>
    createSolidClient({ serverUrl, allowedOrigins: [webId], credentials });
  if (clientId && clientSecret) {
    const credentials = { clientId: clientId.value, clientSecret: clientSecret.value };
    const client = open(credentials);
    if (await canRead(client, encKeys, signal)) {
      say('credentials', 'those of the configuration work');
      return { credentials, client, withdraw: () => Promise.resolve() };
    }
    await client.close();
    say('credentials', 'those of the configuration no longer work');
  }
  const issued = await issueClientCredentials(account, { name: 'bp-analyser', webId });
  say('credentials', `issued, bound to ${webId}`);
  const credentials = { clientId: issued.clientId, clientSecret: issued.clientSecret };
  // Without the signal, so that this works after an interruption as well.
  const always = { ...account, signal: undefined };
  const withdraw = () => deleteClientCredentials(always, issued).catch(() => undefined);
  return { credentials, client: open(credentials), withdraw };
}

/** Whether the login is the owner's: nobody else gets 200 or 404 for a closed document. */
async function canRead(
  client: HttpSolidClient,
  url: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { status } = await client.request(url, { signal });
    return status === 200 || status === 404;
  } catch (error) {
    if (error instanceof ServerError && error.failure === 'login') return false;
    throw error;
  }
}
