import { createSolidClient } from '../../../src/solid/http-solid-client.js';
import type { SolidClient, SolidRequest } from '../../../src/solid/solid-client.js';
import { atEnd } from '../../support/at-end.js';
import { createPod, sharedSolidServer } from '../../support/solid-server.js';
import { StorageServer } from '../server/storage-server.js';

/** Somebody with a Pod on a server. */
interface Party {
  webId: string;
  root: string;
  client: SolidClient;
}

export interface Parties {
  owner: Party;
  other: Party;
  /** Not logged in. */
  nobody: SolidClient;
}

/** What the simulation takes for granted of a storage server is asked of the double and of the real one. */
export const servers: [name: string, open: () => Promise<Parties>][] = [
  ['the server in memory', () => Promise.resolve(partiesInMemory())],
  ['the Community Solid Server', () => partiesAt(sharedSolidServer())],
];

export function partiesInMemory(room?: number): Parties {
  const server = new StorageServer('https://pods.example/', room);
  const clientOf = (agent: string | null) =>
    createSolidClient({
      serverUrl: server.baseUrl,
      credentials: null,
      transport: server.transportFor(agent),
    });
  const party = (name: string): Party => {
    const pod = server.createPod(name);
    return { ...pod, client: clientOf(pod.webId) };
  };
  return { owner: party('owner'), other: party('other'), nobody: clientOf(null) };
}

export async function partiesAt(server: { baseUrl: string }): Promise<Parties> {
  const open = (credentials: Parameters<typeof createSolidClient>[0]['credentials']) => {
    const client = createSolidClient({ serverUrl: server.baseUrl, credentials });
    atEnd(() => client.close());
    return client;
  };
  const party = async (): Promise<Party> => {
    const { webId, root, ...credentials } = await createPod(server);
    return { webId, root, client: open(credentials) };
  };
  return { owner: await party(), other: await party(), nobody: open(null) };
}

export async function ask(client: SolidClient, url: string, request: SolidRequest = {}) {
  const { status, headers, body } = await client.request(url, { tries: 1, ...request });
  return { status, headers, text: body.toString() };
}

export async function statusOf(...what: Parameters<typeof ask>): Promise<number> {
  return (await ask(...what)).status;
}

export function put(body: string, headers: Record<string, string> = {}): SolidRequest {
  return { method: 'PUT', body, headers: { 'content-type': 'text/turtle', ...headers } };
}

export function patch(body: string): SolidRequest {
  return { method: 'PATCH', body, headers: { 'content-type': 'application/sparql-update' } };
}

export function insert(...statements: string[]): SolidRequest {
  return patch(`INSERT DATA {\n${statements.join('\n')}\n}`);
}

export function remove(...statements: string[]): SolidRequest {
  return patch(`DELETE DATA {\n${statements.join('\n')}\n}`);
}

export const PREDICATE = 'https://e.example/p';

export function statement(url: string, text: string): string {
  return `<${url}#a> <${PREDICATE}> "${text}" .`;
}

let made = 0;

/** An address in a new folder. */
export function newAddress({ owner }: Parties, name = 'doc.ttl'): string {
  made += 1;
  return `${owner.root}app/f${made}/${name}`;
}

export function folderOf(url: string): string {
  return url.slice(0, url.lastIndexOf('/') + 1);
}

const ACL = 'http://www.w3.org/ns/auth/acl#';
export const all = `<${ACL}agentClass> <http://xmlns.com/foaf/0.1/Agent>`;
export const only = ({ webId }: { webId: string }) => `<${ACL}agent> <${webId}>`;

/** Gives the owner everything, and others what is named. Returns the status. */
export function setRules(
  { owner }: Parties,
  target: string,
  { who, modes, isInherited = false }: { who: string; modes: string[]; isInherited?: boolean },
): Promise<number> {
  const rule = (name: string, whom: string, may: string[]) => {
    const inner = isInherited ? `<${ACL}default> <${target}>; ` : '';
    const list = may.map((mode) => `<${ACL}${mode}>`).join(', ');
    return `<#${name}> a <${ACL}Authorization>; ${whom}; <${ACL}accessTo> <${target}>; ${inner}<${ACL}mode> ${list} .\n`;
  };
  const own = rule('owner', only(owner), ['Read', 'Write', 'Control']);
  return statusOf(owner.client, `${target}.acl`, put(own + rule('other', who, modes)));
}
