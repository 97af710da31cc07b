import type { Owner } from './pod-of-resource.js';
import { canonicalResource } from './resource-address.js';

const DESCRIPTION = 'http://www.w3.org/ns/solid/terms#storageDescription';
const DOCUMENT = '.well-known/solid';
const LONGEST_HEADER = 16_384;

/**
 * The root of the storage that holds a resource. It is taken from the link to the storage description in the server's
 * answer; null without this link.
 */
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

/**
 * Why a file does not belong to the Pod that its address seems to name; null when nothing speaks against this Pod.
 * Without this check, folders of one Pod could pass for many Pods, on servers whose Pods lie at any depth.
 */
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
