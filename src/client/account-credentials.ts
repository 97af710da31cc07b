import { type AccountLogin, issueClientCredentials, logInToAccount } from '../solid/css-account.js';
import type { ClientCredentials } from '../solid/login/login.js';
import { translateErrors } from './translate-errors.js';

/**
 * Issues credentials bound to a WebID for e-mail and password of its account, on a Community Solid
 * Server. Each call issues new ones, so keep them.
 */
export function obtainCredentials(
  serverUrl: string,
  login: AccountLogin,
  webId: string,
  signal?: AbortSignal,
): Promise<ClientCredentials> {
  return translateErrors(signal, async () => {
    const account = await logInToAccount(serverUrl, login, signal);
    const wanted = { name: 'bp-analyser app', webId };
    const { clientId, clientSecret } = await issueClientCredentials(account, wanted);
    return { clientId, clientSecret };
  });
}
