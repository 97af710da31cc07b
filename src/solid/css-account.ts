import { z } from 'zod';
import { ServerError } from '../base/errors.js';
import { parseJson } from '../base/parse-json.js';
import { isSuccess } from './documents.js';
import { createSolidClient } from './http-solid-client.js';
import type { SolidRequest } from './solid-client.js';

interface Caller {
  serverUrl: string;
  token?: string;
  signal?: AbortSignal | undefined;
}

/** The account interface of the Community Solid Server. It is not part of Solid, so other servers do not have it. */
export interface CssAccount extends Caller {
  controls: { password: Links; account: Links };
}

type Links = z.infer<typeof links>;
const links = z.record(z.string(), z.string());
const accountDocument = z.object({ controls: z.object({ password: links, account: links }) });
const authorized = z.object({ authorization: z.string() });

export interface AccountLogin {
  email: string;
  password: string;
}

export async function createAccount(
  serverUrl: string,
  { email, password }: AccountLogin,
  signal?: AbortSignal,
): Promise<CssAccount> {
  const anyone = await discover({ serverUrl, signal });
  const address = anyone.controls.account['create'];
  const { authorization } = await ask(anyone, 'create an account', address, authorized, {});
  const account = await discover({ serverUrl, signal, token: authorization });
  const passwords = account.controls.password['create'];
  const body = { email, password };
  await ask(account, 'set the password of the new account', passwords, z.unknown(), body);
  return account;
}

export async function logInToAccount(
  serverUrl: string,
  { email, password }: AccountLogin,
  signal?: AbortSignal,
): Promise<CssAccount> {
  const anyone = await discover({ serverUrl, signal });
  const address = anyone.controls.password['login'];
  const body = { email, password };
  const { authorization } = await ask(anyone, 'log in to the account', address, authorized, body);
  return await discover({ serverUrl, signal, token: authorization });
}

export async function createAccountPod(
  account: CssAccount,
  name: string,
): Promise<{ webId: string; root: string }> {
  const made = z.object({ webId: z.string(), pod: z.string() });
  const address = account.controls.account['pod'];
  const { webId, pod } = await ask(account, `create the Pod ${name}`, address, made, { name });
  return { webId, root: pod };
}

export async function listAccountPods(account: CssAccount): Promise<string[]> {
  const address = account.controls.account['pod'];
  const { pods } = await ask(account, 'list the Pods', address, z.object({ pods: links }));
  return Object.keys(pods);
}

export async function issueClientCredentials(
  account: CssAccount,
  body: { name: string; webId: string },
): Promise<{ clientId: string; clientSecret: string }> {
  const issued = z.object({ id: z.string(), secret: z.string() });
  const address = account.controls.account['clientCredentials'];
  const { id, secret } = await ask(account, 'issue client credentials', address, issued, body);
  return { clientId: id, clientSecret: secret };
}

async function discover(caller: Caller): Promise<CssAccount> {
  const url = new URL('.account/', caller.serverUrl).href;
  try {
    return { ...caller, ...(await ask(caller, 'show its accounts', url, accountDocument)) };
  } catch (cause) {
    if (!(cause instanceof ServerError) || cause.failure !== 'refused') throw cause;
    const message = `${caller.serverUrl} offers no account interface of the Community Solid Server (${url}). Create the account, the Pod and the client credentials with the means of that server.`;
    throw new ServerError('refused', message, { url, cause });
  }
}

/** When the server refuses, rejects with the server's own message; `what` completes "refused to". */
async function ask<T>(
  { serverUrl, token, signal }: Caller,
  what: string,
  url: string | undefined,
  schema: z.ZodType<T>,
  content?: object,
): Promise<T> {
  if (url === undefined) {
    const message = `${serverUrl} does not let anyone ${what}.`;
    throw new ServerError('refused', message, { url: serverUrl });
  }
  const headers = {
    accept: 'application/json',
    ...(token !== undefined && { authorization: `CSS-Account-Token ${token}` }),
    ...(content && { 'content-type': 'application/json' }),
  };
  const body = content && { body: JSON.stringify(content) };
  const method = content === undefined ? 'GET' : 'POST';
  const request: SolidRequest = { method, headers, signal, maxBytes: 1_048_576, ...body };
  const client = createSolidClient({ serverUrl, credentials: null });
  try {
    const answer = await client.request(url, request);
    const { status } = answer;
    const json = parseJson(answer.body);
    const expected = schema.safeParse(json);
    if (isSuccess(answer) && expected.success) return expected.data;
    const reason = z.object({ message: z.string() }).safeParse(json);
    const words = reason.success ? `: ${reason.data.message.slice(0, 300)}` : '';
    const message = isSuccess(answer)
      ? `${url} answered with something unexpected.`
      : `${serverUrl} refused to ${what}: HTTP ${status}${words}`;
    throw new ServerError('refused', message, { url, status });
  } finally {
    await client.close();
  }
}
