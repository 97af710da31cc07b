import { type AccountLogin, issueClientCredentials, logInToAccount } from '../solid/css-account.js';
import type { ClientCredentials } from '../solid/login.js';

/**
 * For a Community Solid Server: credentials bound to a WebID, against e-mail and password of
 * its account. Each call issues new ones, so keep them.
 */
export async function obtainCredentials(
  serverUrl: string,
  login: AccountLogin,
  webId: string,
  signal?: AbortSignal,
): Promise<ClientCredentials> {
  const account = await logInToAccount(serverUrl, login, signal);
  const wanted = { name: 'bp-analyser app', webId };
  const { clientId, clientSecret } = await issueClientCredentials(account, wanted, signal);
  return { clientId, clientSecret };
}
