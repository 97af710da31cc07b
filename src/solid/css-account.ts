import { z } from 'zod';
import { ServerError } from '../base/errors.js';
import { parseJson } from '../base/parse-json.js';
import { createSolidClient } from './http-solid-client.js';

/**
 * The account interface of the Community Solid Server, which creates accounts, Pods and client
 * credentials. It is not part of Solid, so other servers do not have it.
 */
export interface CssAccount extends Caller {
  controls: AccountControls;
}

interface Caller {
  serverUrl: string;
  token?: string;
  /** Aborts every request made through this account. */
  signal?: AbortSignal | undefined;
}

export interface AccountLogin {
  email: string;
  password: string;
}

export interface IssuedCredentials {
  clientId: string;
  clientSecret: string;
  /** The address at which the credentials can be deleted. */
  resource: string;
}

const LONGEST_ANSWER = 1_048_576;

const optionalUrl = z.string().optional();

const controlsDocument = z.object({
  controls: z.object({
    password: z.object({ login: optionalUrl, create: optionalUrl }),
    account: z.object({
      create: optionalUrl,
      pod: optionalUrl,
      clientCredentials: optionalUrl,
    }),
  }),
});

type AccountControls = z.infer<typeof controlsDocument>['controls'];

const authorizationAnswer = z.object({ authorization: z.string() });
const podAnswer = z.object({ webId: z.string(), pod: z.string() });
const podsAnswer = z.object({ pods: z.record(z.string(), z.string()) });
const issuedAnswer = z.object({ id: z.string(), secret: z.string(), resource: z.string() });

export async function createAccount(
  serverUrl: string,
  { email, password }: AccountLogin,
  signal?: AbortSignal,
): Promise<CssAccount> {
  const anyone = { serverUrl, signal };
  const { create } = (await discover(anyone)).account;
  const token = await authorise(anyone, 'create an account', create, {});
  const account = await openAccount({ ...anyone, token });
  const setPassword = account.controls.password.create;
  await send(account, 'set the password of the new account', setPassword, { email, password });
  return account;
}

export async function logInToAccount(
  serverUrl: string,
  { email, password }: AccountLogin,
  signal?: AbortSignal,
): Promise<CssAccount> {
  const anyone = { serverUrl, signal };
  const { login } = (await discover(anyone)).password;
  const token = await authorise(anyone, 'log in to the account', login, { email, password });
  return await openAccount({ ...anyone, token });
}

export async function createAccountPod(
  account: CssAccount,
  name: string,
): Promise<{ webId: string; root: string }> {
  const url = account.controls.account.pod;
  const answer = await send(account, `create the Pod ${name}`, url, { name });
  const { webId, pod } = parseAnswer(podAnswer, answer);
  return { webId, root: pod };
}

export async function listAccountPods(account: CssAccount): Promise<string[]> {
  const answer = await send(account, 'list the Pods', account.controls.account.pod);
  return Object.keys(parseAnswer(podsAnswer, answer).pods);
}

export async function issueClientCredentials(
  account: CssAccount,
  wanted: { name: string; webId: string },
): Promise<IssuedCredentials> {
  const url = account.controls.account.clientCredentials;
  const answer = await send(account, 'issue client credentials', url, wanted);
  const { id, secret, resource } = parseAnswer(issuedAnswer, answer);
  return { clientId: id, clientSecret: secret, resource };
}

export async function deleteClientCredentials(
  account: CssAccount,
  { resource }: Pick<IssuedCredentials, 'resource'>,
): Promise<void> {
  await send(account, 'delete client credentials', resource, undefined, 'DELETE');
}

async function authorise(
  caller: Caller,
  what: string,
  url: string | undefined,
  body: object,
): Promise<string> {
  return parseAnswer(authorizationAnswer, await send(caller, what, url, body)).authorization;
}

async function openAccount(caller: Caller): Promise<CssAccount> {
  return { ...caller, controls: await discover(caller) };
}

async function discover(caller: Caller): Promise<AccountControls> {
  const url = new URL('.account/', caller.serverUrl).href;
  const answer = await exchange(caller, url);
  const document = controlsDocument.safeParse(answer.json);
  if (answer.status === 200 && document.success) return document.data.controls;
  throw new ServerError(
    'refused',
    `${caller.serverUrl} offers no account interface of the Community Solid Server (${url}). ` +
      'Create the account, the Pod and the client credentials with the means of that server.',
    { url },
  );
}

interface JsonAnswer {
  url: string;
  status: number;
  json: unknown;
}

/** Rejects with the server's own message when it refuses. */
async function send(
  caller: Caller,
  what: string,
  url: string | undefined,
  body?: object,
  method?: 'DELETE',
): Promise<JsonAnswer> {
  const { serverUrl } = caller;
  if (url === undefined) {
    throw new ServerError('refused', `${serverUrl} does not let anyone ${what}.`, {
      url: serverUrl,
    });
  }
  const answer = await exchange(caller, url, body, method);
  const { status } = answer;
  if (status >= 200 && status <= 299) return answer;
  const reason = z.object({ message: z.string() }).safeParse(answer.json);
  const words = reason.success ? `: ${reason.data.message.slice(0, 300)}` : '';
  const message = `${serverUrl} refused to ${what}: HTTP ${status}${words}`;
  throw new ServerError('refused', message, { url, status });
}

async function exchange(
  { serverUrl, token, signal }: Caller,
  url: string,
  content?: object,
  method: 'GET' | 'POST' | 'DELETE' = content === undefined ? 'GET' : 'POST',
): Promise<JsonAnswer> {
  const client = createSolidClient({ serverUrl, credentials: null });
  try {
    const { status, body } = await client.request(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `CSS-Account-Token ${token}` }),
        ...(content && { 'content-type': 'application/json' }),
      },
      ...(content && { body: JSON.stringify(content) }),
      signal,
      maxBytes: LONGEST_ANSWER,
    });
    return { url, status, json: parseJson(body) };
  } finally {
    await client.close();
  }
}

function parseAnswer<T>(schema: z.ZodType<T>, { url, status, json }: JsonAnswer): T {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  throw new ServerError('refused', `${url} answered with something unexpected.`, { url, status });
}
