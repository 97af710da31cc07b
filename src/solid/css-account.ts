import { z } from 'zod';
import { ServerError } from '../base/errors.js';
import { createSolidClient } from './http-solid-client.js';

/**
 * The account interface of the Community Solid Server, used to create accounts, Pods and
 * client credentials. Nothing of it is part of Solid: another kind of server has none.
 */
export interface CssAccount {
  serverUrl: string;
  token: string;
  controls: AccountControls;
}

export interface AccountLogin {
  email: string;
  password: string;
}

export interface IssuedCredentials {
  clientId: string;
  clientSecret: string;
  /** Where they can be deleted. */
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
const credentialsAnswer = z.object({ clientCredentials: z.record(z.string(), z.string()) });

export async function createAccount(
  serverUrl: string,
  login: AccountLogin,
  signal?: AbortSignal,
): Promise<CssAccount> {
  const anonymous: Caller = { serverUrl, signal };
  const { account: controls } = await discover(anonymous);
  const created = await post(anonymous, 'create an account', controls.create, {});
  const { authorization } = judge(serverUrl, authorizationAnswer, created);
  const account = await openAccount(serverUrl, authorization, signal);
  await post(
    { ...account, signal },
    'set the password of the new account',
    account.controls.password.create,
    { ...login },
  );
  return account;
}

export async function logInToAccount(
  serverUrl: string,
  login: AccountLogin,
  signal?: AbortSignal,
): Promise<CssAccount> {
  const anonymous: Caller = { serverUrl, signal };
  const { password } = await discover(anonymous);
  const answer = await post(anonymous, 'log in to the account', password.login, { ...login });
  const { authorization } = judge(serverUrl, authorizationAnswer, answer);
  return openAccount(serverUrl, authorization, signal);
}

export async function createAccountPod(
  account: CssAccount,
  name: string,
  signal?: AbortSignal,
): Promise<{ webId: string; root: string }> {
  const url = account.controls.account.pod;
  const answer = await post({ ...account, signal }, `create the Pod ${name}`, url, { name });
  const { webId, pod } = judge(account.serverUrl, podAnswer, answer);
  return { webId, root: pod };
}

export async function listAccountPods(
  account: CssAccount,
  signal?: AbortSignal,
): Promise<string[]> {
  const caller = { ...account, signal };
  const answer = await send(caller, 'list the Pods', account.controls.account.pod);
  return Object.keys(judge(account.serverUrl, podsAnswer, answer).pods);
}

export async function issueClientCredentials(
  account: CssAccount,
  wanted: { name: string; webId: string },
  signal?: AbortSignal,
): Promise<IssuedCredentials> {
  const url = account.controls.account.clientCredentials;
  const answer = await post({ ...account, signal }, 'issue client credentials', url, wanted);
  const { id, secret, resource } = judge(account.serverUrl, issuedAnswer, answer);
  return { clientId: id, clientSecret: secret, resource };
}

/** Client id → where it can be deleted. The server never shows a secret again. */
export async function listClientCredentials(
  account: CssAccount,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const url = account.controls.account.clientCredentials;
  const answer = await send({ ...account, signal }, 'list client credentials', url);
  const { clientCredentials } = judge(account.serverUrl, credentialsAnswer, answer);
  return new Map(Object.entries(clientCredentials));
}

export async function deleteClientCredentials(
  account: CssAccount,
  resource: string,
  signal?: AbortSignal,
): Promise<void> {
  await send({ ...account, signal }, 'delete client credentials', resource, { method: 'DELETE' });
}

interface Caller {
  serverUrl: string;
  token?: string;
  signal?: AbortSignal | undefined;
}

async function openAccount(
  serverUrl: string,
  token: string,
  signal?: AbortSignal,
): Promise<CssAccount> {
  return { serverUrl, token, controls: await discover({ serverUrl, token, signal }) };
}

async function discover(caller: Caller): Promise<AccountControls> {
  const url = new URL('.account/', caller.serverUrl).href;
  const answer = await exchange(caller, url, {});
  const document = controlsDocument.safeParse(answer.json);
  if (answer.status !== 200 || !document.success) throw noAccountInterface(caller.serverUrl, url);
  return document.data.controls;
}

function noAccountInterface(serverUrl: string, url: string): ServerError {
  return new ServerError(
    'refused',
    `${serverUrl} offers no account interface of the Community Solid Server (${url}). ` +
      'Create the account, the Pod and the client credentials with the means of that server.',
    { url },
  );
}

interface Exchange {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: object;
}

interface JsonAnswer {
  url: string;
  status: number;
  json: unknown;
}

function post(
  caller: Caller,
  what: string,
  url: string | undefined,
  body: object,
): Promise<JsonAnswer> {
  return send(caller, what, url, { method: 'POST', body });
}

/** Rejects with the server's own words when it refuses. */
async function send(
  caller: Caller,
  what: string,
  url: string | undefined,
  options: Exchange = {},
): Promise<JsonAnswer> {
  if (url === undefined) {
    throw new ServerError('refused', `${caller.serverUrl} does not let anyone ${what}.`, {
      url: caller.serverUrl,
    });
  }
  const answer = await exchange(caller, url, options);
  if (answer.status < 200 || answer.status > 299) {
    const { status } = answer;
    const reason = z.object({ message: z.string() }).safeParse(answer.json);
    const words = reason.success ? `: ${reason.data.message.slice(0, 300)}` : '';
    const message = `${caller.serverUrl} refused to ${what}: HTTP ${status}${words}`;
    throw new ServerError('refused', message, { url, status });
  }
  return answer;
}

async function exchange(caller: Caller, url: string, options: Exchange): Promise<JsonAnswer> {
  const client = createSolidClient({ serverUrl: caller.serverUrl, credentials: null });
  try {
    const { status, body } = await client.request(url, {
      method: options.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...(caller.token && { authorization: `CSS-Account-Token ${caller.token}` }),
        ...(options.body && { 'content-type': 'application/json' }),
      },
      ...(options.body && { body: JSON.stringify(options.body) }),
      signal: caller.signal,
      maxBytes: LONGEST_ANSWER,
    });
    return { url, status, json: parseJson(body.toString('utf8')) };
  } finally {
    await client.close();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function judge<T>(serverUrl: string, schema: z.ZodType<T>, answer: JsonAnswer): T {
  const result = schema.safeParse(answer.json);
  if (result.success) return result.data;
  throw new ServerError('refused', `${answer.url} answered with something unexpected.`, {
    url: serverUrl,
    status: answer.status,
  });
}
