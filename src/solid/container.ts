import { getTurtle, type ReadOptions } from './get-turtle.js';
import { serverSpelling } from './server-spelling.js';
import type { SolidClient } from './solid-client.js';
import type { TurtleDocument } from './turtle-document.js';

const CONTAINS = 'http://www.w3.org/ns/ldp#contains';

/**
 * The addresses of the folder's direct members, sorted. Each begins with the folder's address as `url` spells it.
 * Undefined when there is no such folder. Listed addresses that do not lie directly in the folder are left out.
 */
export async function listContainer(
  client: SolidClient,
  url: string,
  options: ReadOptions = {},
): Promise<string[] | undefined> {
  const document = await getTurtle(client, url, options);
  if (document === undefined) return undefined;
  const listed = spellingOf(document, url);
  const members = document
    .links(listed, CONTAINS)
    .filter((member) => isDirectMember(member, listed))
    .map((member) => url + member.slice(listed.length));
  return [...new Set(members)].sort();
}

/** A server may spell reserved characters of the address differently from the request. */
function spellingOf(document: TurtleDocument, url: string): string {
  if (document.links(url, CONTAINS).length > 0) return url;
  const wanted = serverSpelling(url);
  for (const subject of document.subjects()) {
    if (URL.canParse(subject) && serverSpelling(subject) === wanted) return subject;
  }
  return url;
}

export function isDirectMember(member: string, folder: string): boolean {
  if (!member.startsWith(folder) || /[?#]/.test(member)) return false;
  const name = member.slice(folder.length).replace(/\/$/, '');
  return (
    name !== '' && !name.includes('/') && URL.canParse(member) && new URL(member).href === member
  );
}
