import { ServerError } from '../base/errors.js';
import { type AccountLogin, issueClientCredentials, logInToAccount } from '../solid/css-account.js';
import type { ClientCredentials } from '../solid/login/login.js';
import { ClientError } from './client-error.js';
import { urlInput } from './inputs.js';
import { translateErrors } from './translate-errors.js';

/**
 * Issues credentials that are bound to a WebID, given the e-mail and the password of its account on a Community Solid
 * Server. Each call issues new credentials, so keep them.
 */
export function obtainCredentials(
  serverUrl: string,
  login: AccountLogin,
  webId: string,
  signal?: AbortSignal,
): Promise<ClientCredentials> {
  return translateErrors(signal, async () => {
    const server = urlInput(serverUrl, 'serverUrl');
    const account = await logInToAccount(server, login, signal).catch((cause: unknown) =>
      refusedLogin(cause, server),
    );
    const wanted = { name: 'bp-analyser app', webId };
    const { clientId, clientSecret } = await issueClientCredentials(account, wanted);
    return { clientId, clientSecret };
  });
}

/** The account interface answers a wrong e-mail or password like any other refusal. */
function refusedLogin(cause: unknown, server: string): never {
  const isRefused = cause instanceof ServerError && cause.details.status !== undefined;
  if (!isRefused || cause.failure !== 'refused') throw cause;
  const page = new URL('.account/', server).href;
  const hint = `If there is no such account yet: one is made in a browser, at ${page}`;
  throw new ClientError('credentials-rejected', cause.message, { cause, hint });
}
