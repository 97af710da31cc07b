import { AnalyserError, messageOf, ServerError } from '../../base/errors.js';
import { parseWebId, type WebId, webIdOfRoot } from '../../pod/addresses.js';
import {
  type AccountLogin,
  type CssAccount,
  createAccount,
  createAccountPod,
  listAccountPods,
  logInToAccount,
} from '../../solid/css-account.js';

interface Found<T> {
  value: T;
  isNew: boolean;
}

/** Logs in or creates the account. It tries both, because the server does not say whether an account exists. */
export async function findAccount(
  login: AccountLogin & {
    serverUrl: string;
    beforeNew: () => void;
    confirmNewAccount: () => Promise<void>;
  },
  signal?: AbortSignal,
): Promise<Found<CssAccount>> {
  const { serverUrl, email, password, beforeNew, confirmNewAccount } = login;
  try {
    return { value: await logInToAccount(serverUrl, { email, password }, signal), isNew: false };
  } catch (error) {
    if (hasNoAccounts(error, serverUrl)) throw describeManualSetup(serverUrl, error);
    if (!isRefusal(error)) throw error;
  }
  beforeNew();
  await confirmNewAccount();
  try {
    const account = await createAccount(serverUrl, { email, password }, signal);
    return { value: account, isNew: true };
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

function hasNoAccounts(error: unknown, serverUrl: string): boolean {
  const url = new URL('.account/', serverUrl).href;
  return isRefusal(error) && error.details.url === url;
}

/** Lists the steps to take by hand on a server that is not a Community Solid Server. */
function describeManualSetup(serverUrl: string, cause: unknown): AnalyserError {
  const sentences = [
    `${serverUrl} does not offer the account interface of the Community Solid Server, so this has to be done by hand:`,
    '  1. Create an account and a Pod for the Analyser with the means of that server.',
    '  2. Issue client credentials (an id and a secret) that are bound to the WebID of that Pod.',
    '  3. Initialise the Pod with a security key: app init --web-id <WebID> (see its --help).',
    '  4. Copy config.example.yaml to config.yaml, fill in `analyser`, and run check.',
  ];
  return new AnalyserError('server', sentences, { cause });
}

export async function findPod(
  account: CssAccount,
  name: string,
  beforeNew: () => void,
): Promise<Found<WebId>> {
  const pods = await listAccountPods(account);
  const root = pods.find((pod) => pod.endsWith(`/${name}/`) || isSubdomain(pod, name));
  if (root !== undefined) return { value: requireOwnPod(account, webIdOfRoot(root)), isNew: false };
  beforeNew();
  const { webId } = await createAccountPod(account, name);
  return { value: requireOwnPod(account, webId), isNew: true };
}

/** Whether the Pod has a host of its own, which begins with this name. */
function isSubdomain(pod: string, name: string): boolean {
  if (!URL.canParse(pod)) return false;
  const { hostname, pathname } = new URL(pod);
  return pathname === '/' && hostname.startsWith(`${name.toLowerCase()}.`);
}

/** Tokens and keys will be sent to the server of the Pod, so an account's server must not name a Pod elsewhere. */
function requireOwnPod({ serverUrl }: CssAccount, webId: string): WebId {
  const { hostname } = new URL(serverUrl);
  const pod = parseWebId(webId);
  const podHost = pod === null ? '' : new URL(pod.root).hostname;
  if (pod !== null && (podHost === hostname || podHost.endsWith(`.${hostname}`))) return pod;
  throw new ServerError('refused', `${serverUrl} named a Pod that is not on it: ${webId}.`, {
    url: serverUrl,
  });
}
