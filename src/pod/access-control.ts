import { AccessRulesError, AnalyserError } from '../base/errors.js';
import { getTurtle } from '../solid/documents/get-turtle.js';
import { putDocument } from '../solid/documents/write-document.js';
import { serverSpelling } from '../solid/server-spelling.js';
import type { SolidClient } from '../solid/solid-client.js';
import {
  aclAddress,
  agentRule,
  changeRules,
  inheritRules,
  type Mode,
  ownerRule,
  parseAcl,
  type Rule,
  writeAcl,
} from './documents/access-control-list.js';
import { parentFolder } from './resource-address.js';

/** By the Pod; whoever asks again for the same client waits for one answer. */
const asked = new WeakMap<SolidClient, Map<string, Promise<void>>>();

/**
 * Rejects where a document called .acl is one like any other (Access Control Policies): what is
 * written there gives access to nobody, and nobody would say so.
 */
export async function requireAccessLists(
  client: SolidClient,
  root: string,
  signal?: AbortSignal,
): Promise<void> {
  const known = asked.get(client) ?? new Map<string, Promise<void>>();
  asked.set(client, known);
  const asking = known.get(root) ?? askForAccessLists(client, root, signal);
  known.set(root, asking);
  try {
    await asking;
  } catch (error) {
    known.delete(root);
    throw error;
  }
}

async function askForAccessLists(
  client: SolidClient,
  root: string,
  signal?: AbortSignal,
): Promise<void> {
  // Where each Pod is a host of its own, the Community Solid Server shows a page at their roots.
  for (const place of [root, `${root}profile/card`]) {
    const { status, headers } = await client.request(place, { method: 'HEAD', signal });
    const link = /<([^>]*)>\s*;[^,]*\brel="?acl"?/i.exec(headers['link'] ?? '')?.[1];
    // Of what may not be looked at nothing is known.
    if (link === undefined && status >= 400) return;
    if (link === undefined) continue;
    const list = URL.canParse(link, place) ? new URL(link, place).href : null;
    if (list !== null && serverSpelling(list) === serverSpelling(aclAddress(place))) return;
    break;
  }
  throw new AccessRulesError(root);
}

export interface AccessChange {
  /** Of one Pod. */
  resources: readonly string[];
  pod: { root: string; webId: string };
  agent: string;
  /** Empty: the agent loses what it was given by name. */
  modes: readonly Mode[];
}

/** Adds or removes one agent; everybody else keeps the access they have. */
export async function changeAccess(
  client: SolidClient,
  { resources, pod, agent, modes }: AccessChange,
  signal?: AbortSignal,
): Promise<void> {
  await requireAccessLists(client, pod.root, signal);
  const readRules = rememberRules(client, signal);
  await Promise.all(
    resources.map(async (resource) => {
      const rules = await effectiveRules(resource, pod.root, readRules);
      const changed = changeRules(rules, { resource, ownerWebId: pod.webId, agent, modes });
      await putRules(client, resource, changed, signal);
    }),
  );
}

/** The owner may do everything, the readers may read, and nobody else anything. */
export interface ReaderAccess {
  ownerWebId: string;
  readers: readonly string[];
}

export async function restrictToReaders(
  client: SolidClient,
  resource: string,
  access: ReaderAccess,
  signal?: AbortSignal,
): Promise<void> {
  await putRules(client, resource, rulesFor(resource, access), signal);
}

/** Whether the resource's own list says just that; one that cannot be read as a list does not. */
export async function isRestrictedToReaders(
  client: SolidClient,
  resource: string,
  access: ReaderAccess,
  signal?: AbortSignal,
): Promise<boolean> {
  const spell = (rules: readonly Rule[]) =>
    rules.map((rule) => JSON.stringify({ ...rule, modes: rule.modes.toSorted() })).sort();
  try {
    const document = await getTurtle(client, aclAddress(resource), { signal });
    if (document === undefined) return false;
    const wanted = spell(rulesFor(resource, access));
    return JSON.stringify(spell(parseAcl(document))) === JSON.stringify(wanted);
  } catch (error) {
    if (error instanceof AnalyserError && error.kind === 'malformed') return false;
    throw error;
  }
}

function rulesFor(resource: string, { ownerWebId, readers }: ReaderAccess): Rule[] {
  return [
    ownerRule(resource, ownerWebId),
    ...readers.map((reader) => agentRule(resource, reader, ['read'])),
  ];
}

async function putRules(
  client: SolidClient,
  resource: string,
  rules: readonly Rule[],
  signal?: AbortSignal,
): Promise<void> {
  await putDocument(client, aclAddress(resource), writeAcl(resource, rules), { signal });
}

type RuleReader = (resource: string) => Promise<Rule[] | null>;

/** The resource's own rules, or what the nearest folder above sets for its content. */
async function effectiveRules(
  resource: string,
  root: string,
  readRules: RuleReader,
): Promise<Rule[]> {
  const own = await readRules(resource);
  if (own !== null) return own;
  for (
    let folder = parentFolder(resource);
    folder.startsWith(root);
    folder = parentFolder(folder)
  ) {
    const rules = await readRules(folder);
    if (rules !== null) return inheritRules(rules, folder, resource);
  }
  return [];
}

/** Files of one folder ask for the same lists above them. */
function rememberRules(client: SolidClient, signal?: AbortSignal): RuleReader {
  const known = new Map<string, Promise<Rule[] | null>>();
  return (resource) => {
    let rules = known.get(resource);
    if (!rules) {
      rules = getTurtle(client, aclAddress(resource), { signal }).then((document) =>
        document === undefined ? null : parseAcl(document),
      );
      known.set(resource, rules);
    }
    return rules;
  };
}
