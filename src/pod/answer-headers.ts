import { serverSpelling } from '../solid/server-spelling.js';
import { aclAddress, canonicalResource } from './addresses.js';
import { type NotRead, notRead } from './outcome.js';
import type { Owner } from './owner.js';

const parts = {
  public: /(?:^|[\s,])public="([^"]*)"/i,
  user: /(?:^|[\s,])user="([^"]*)"/i,
};

/** `user` is the client that asked. Null without WAC-Allow: servers with Access Control Policies do not send it. */
export function allowedModes(
  header: string | undefined,
  who: 'public' | 'user',
): ReadonlySet<string> | null {
  if (header === undefined) return null;
  const modes = parts[who].exec(header)?.[1] ?? '';
  return new Set(modes.toLowerCase().split(/\s+/).filter(Boolean));
}

/** `unknown` without the header WAC-Allow or without an answer. */
export type OpenTo = 'everybody' | 'some' | 'unknown';

export function openTo(header: string | undefined): OpenTo {
  const everybody = allowedModes(header, 'public');
  if (everybody === null) return 'unknown';
  return everybody.has('read') ? 'everybody' : 'some';
}

/** False without the header as well, so false proves nothing. */
export function mayBeWritten(header: string | undefined, who: 'public' | 'user'): boolean {
  const modes = allowedModes(header, who);
  return modes !== null && (modes.has('write') || modes.has('append'));
}

/**
 * Returns why a plain file does not prove that its owner shared it; null when it does. An entry of the inbox is no
 * proof, because anybody can add an entry. Where the Analyser may write, others may be allowed to write as well.
 */
export function findUnproven(header: string | undefined): NotRead | null {
  if (mayBeWritten(header, 'user')) {
    return notRead(
      'unproven',
      'it is not encrypted, and the Analyser may write to it, and so may others, perhaps: grant it read access only',
    );
  }
  const open = openTo(header);
  if (open === 'some') return null;
  return open === 'everybody'
    ? notRead(
        'plaintext',
        'it is not encrypted any more, because its owner shares it with everybody',
      )
    : notRead(
        'unproven',
        'it is not encrypted, and its server does not say who may write to it, so nothing shows that its owner shared it',
      );
}

const DESCRIPTION = 'http://www.w3.org/ns/solid/terms#storageDescription';
const DOCUMENT = '.well-known/solid';
const LONGEST_HEADER = 16_384;

/** The root of the storage that holds a resource, by the server's link to its description; null without this link. */
export function namedStorage(link: string | undefined, url: string): string | null {
  if (link === undefined || link.length > LONGEST_HEADER) return null;
  for (const [, target = '', parameters = ''] of link.matchAll(/<([^<>]*)>([^<>]*)/g)) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    const relations = (rel?.[1] ?? rel?.[2] ?? '').split(/\s+/);
    if (!relations.includes(DESCRIPTION) || !URL.canParse(target, url)) continue;
    const { href } = new URL(target, url);
    if (href.endsWith(`/${DOCUMENT}`)) return canonicalResource(href.slice(0, -DOCUMENT.length));
  }
  return null;
}

/** Null when nothing speaks against this Pod. Unchecked, the folders of one Pod could pass for many Pods. */
export function findForeignStorage(
  link: string | undefined,
  url: string,
  { root, rootIs }: Pick<Owner, 'root' | 'rootIs'>,
): string | null {
  if (rootIs === 'certain') return null;
  const storage = namedStorage(link, url);
  if (storage === root) return null;
  if (storage !== null) return `its server says that it lies in the storage ${storage}`;
  return rootIs === 'likely'
    ? null
    : 'its server does not say in whose storage it lies, and data.allowed_origins gives no pod_depth for it';
}

/** Whether the answer about a resource names its `.acl` document as the list of its rules. */
export function keepsAccessLists(url: string, headers: Readonly<Record<string, string>>): boolean {
  const named = /<([^>]*)>\s*;[^,]*\brel="?acl"?/i.exec(headers['link'] ?? '')?.[1];
  if (named === undefined || !URL.canParse(named, url)) return false;
  return serverSpelling(new URL(named, url).href) === serverSpelling(aclAddress(url));
}
