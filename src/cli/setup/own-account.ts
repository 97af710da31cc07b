import { messageOf, ServerError } from '../../base/errors.js';
import { parseWebId, webIdOfRoot } from '../../pod/addresses.js';
import {
  type AccountLogin,
  type CssAccount,
  createAccount,
  createAccountPod,
  listAccountPods,
  logInToAccount,
} from '../../solid/css-account.js';

/** Tries both, because the server does not say whether an account exists. */
export async function findAccount(
  { serverUrl, email, password }: AccountLogin & { serverUrl: string },
  signal?: AbortSignal,
): Promise<{ account: CssAccount; isNew: boolean }> {
  try {
    return { account: await logInToAccount(serverUrl, { email, password }, signal), isNew: false };
  } catch (error) {
    if (!isRefusal(error) || offersNoAccounts(error, serverUrl)) throw error;
  }
  try {
    const account = await createAccount(serverUrl, { email, password }, signal);
    return { account, isNew: true };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new ServerError(
      'login',
      `${serverUrl} neither lets ${email} log in nor makes an account of that name; is the ` +
        `password right? Its own words: ${messageOf(error)}`,
      { url: serverUrl, cause: error },
    );
  }
}

function isRefusal(error: unknown): error is ServerError {
  return error instanceof ServerError && error.failure === 'refused';
}

function offersNoAccounts({ details }: ServerError, serverUrl: string): boolean {
  return details.url === new URL('.account/', serverUrl).href;
}

export async function findPod(account: CssAccount, name: string) {
  const pods = await listAccountPods(account);
  const root = pods.find((pod) => pod.endsWith(`/${name}/`) || isSubdomain(pod, name));
  const isNew = root === undefined;
  const webId = isNew ? (await createAccountPod(account, name)).webId : webIdOfRoot(root);
  requireOwnPod(account, webId);
  return { webId, isNew };
}

function isSubdomain(pod: string, name: string): boolean {
  if (!URL.canParse(pod)) return false;
  const { hostname, pathname } = new URL(pod);
  return pathname === '/' && hostname.startsWith(`${name.toLowerCase()}.`);
}

/** Tokens and keys will be sent to the server of the Pod, so an account's server must not name a Pod elsewhere. */
function requireOwnPod({ serverUrl }: CssAccount, webId: string): void {
  const { hostname } = new URL(serverUrl);
  const pod = parseWebId(webId);
  const podHost = pod === null ? '' : new URL(pod.root).hostname;
  if (podHost === hostname || podHost.endsWith(`.${hostname}`)) return;
  throw new ServerError('refused', `${serverUrl} named a Pod that is not on it: ${webId}.`, {
    url: serverUrl,
  });
}
