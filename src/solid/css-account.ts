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
  const answer = await ask(anyone, 'create an account', create, authorizationAnswer, { body: {} });
  const account = await openAccount({ ...anyone, token: answer.authorization });
  const url = account.controls.password.create;
  const body = { email, password };
  await ask(account, 'set the password of the new account', url, z.unknown(), { body });
  return account;
}

export async function logInToAccount(
  serverUrl: string,
  { email, password }: AccountLogin,
  signal?: AbortSignal,
): Promise<CssAccount> {
  const anyone = { serverUrl, signal };
  const { login } = (await discover(anyone)).password;
  const body = { email, password };
  const answer = await ask(anyone, 'log in to the account', login, authorizationAnswer, { body });
  return await openAccount({ ...anyone, token: answer.authorization });
}

export async function createAccountPod(
  account: CssAccount,
  name: string,
): Promise<{ webId: string; root: string }> {
  const url = account.controls.account.pod;
  const body = { name };
  const { webId, pod } = await ask(account, `create the Pod ${name}`, url, podAnswer, { body });
  return { webId, root: pod };
}

export async function listAccountPods(account: CssAccount): Promise<string[]> {
  const url = account.controls.account.pod;
  return Object.keys((await ask(account, 'list the Pods', url, podsAnswer)).pods);
}

export async function issueClientCredentials(
  account: CssAccount,
  body: { name: string; webId: string },
): Promise<IssuedCredentials> {
  const url = account.controls.account.clientCredentials;
  const issued = await ask(account, 'issue client credentials', url, issuedAnswer, { body });
  return { clientId: issued.id, clientSecret: issued.secret, resource: issued.resource };
}

export async function deleteClientCredentials(
  account: CssAccount,
  { resource }: Pick<IssuedCredentials, 'resource'>,
): Promise<void> {
  const what = 'delete client credentials';
  await ask(account, what, resource, z.unknown(), { method: 'DELETE' });
}

async function openAccount(caller: Caller): Promise<CssAccount> {
  return { ...caller, controls: await discover(caller) };
}

async function discover(caller: Caller): Promise<AccountControls> {
  const url = new URL('.account/', caller.serverUrl).href;
  const { status, json } = await exchange(caller, url);
  const document = controlsDocument.safeParse(json);
  if (status === 200 && document.success) return document.data.controls;
  throw new ServerError(
    'refused',
    `${caller.serverUrl} offers no account interface of the Community Solid Server (${url}). ` +
      'Create the account, the Pod and the client credentials with the means of that server.',
    { url },
  );
}

interface Content {
  body?: object;
  method?: 'GET' | 'POST' | 'DELETE';
}

/** When the server refuses, rejects with the server's own message; `what` completes "refused to". */
async function ask<T>(
  caller: Caller,
  what: string,
  url: string | undefined,
  schema: z.ZodType<T>,
  content?: Content,
): Promise<T> {
  const { serverUrl } = caller;
  if (url === undefined) {
    const message = `${serverUrl} does not let anyone ${what}.`;
    throw new ServerError('refused', message, { url: serverUrl });
  }
  const { status, json } = await exchange(caller, url, content);
  if (status < 200 || status > 299) {
    const reason = z.object({ message: z.string() }).safeParse(json);
    const words = reason.success ? `: ${reason.data.message.slice(0, 300)}` : '';
    const message = `${serverUrl} refused to ${what}: HTTP ${status}${words}`;
    throw new ServerError('refused', message, { url, status });
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  throw new ServerError('refused', `${url} answered with something unexpected.`, { url, status });
}

async function exchange(
  { serverUrl, token, signal }: Caller,
  url: string,
  { body: content, method = content === undefined ? 'GET' : 'POST' }: Content = {},
): Promise<{ status: number; json: unknown }> {
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
    return { status, json: parseJson(body) };
  } finally {
    await client.close();
  }
}
