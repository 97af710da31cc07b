import { getTurtle, type ReadOptions } from './get-turtle.js';
import type { SolidClient } from './solid-client.js';

const CONTAINS = 'http://www.w3.org/ns/ldp#contains';

/**
 * Addresses of the folder's direct members, in order; undefined when there is no such folder.
 * What a server lists but does not lie directly inside of the folder is left out.
 */
export async function listContainer(
  client: SolidClient,
  url: string,
  options: ReadOptions = {},
): Promise<string[] | undefined> {
  const document = await getTurtle(client, url, options);
  const members = document?.links(url, CONTAINS).filter((member) => isDirectMember(member, url));
  return members && [...new Set(members)].sort();
}

export function isDirectMember(member: string, folder: string): boolean {
  if (!member.startsWith(folder) || /[?#]/.test(member)) return false;
  const name = member.slice(folder.length).replace(/\/$/, '');
  return (
    name !== '' && !name.includes('/') && URL.canParse(member) && new URL(member).href === member
  );
}
