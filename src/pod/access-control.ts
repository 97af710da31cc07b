import { AccessRulesError, AnalyserError } from '../base/errors.js';
import { getOrAdd } from '../base/lists.js';
import { deleteDocument, getTurtle, putDocument } from '../solid/documents.js';
import { serverSpelling } from '../solid/server-spelling.js';
import type { SolidClient } from '../solid/solid-client.js';
import type { Triple, TurtleDocument } from '../solid/turtle.js';
import { aclAddress, canonicalResource, isFolder, parentFolder } from './addresses.js';
import { link, vocabulary as v, writeTurtle } from './formats/vocabulary.js';
import type { UnlockedPod } from './unlock-pod.js';

export type AccessMode = 'read' | 'write' | 'append' | 'control';

const fields = [
  ['agents', v.agent],
  ['classes', v.agentClass],
  ['groups', v.agentGroup],
  ['origins', v.origin],
  ['accessTo', v.accessTo],
  ['default', v.default],
  ['modes', v.mode],
] as const;

/** One rule of a list, with addresses as the list spells them. */
export type Rule = Record<(typeof fields)[number][0], string[]>;

const OWNER_MODES: readonly AccessMode[] = ['read', 'write', 'control'];

export function parseAcl(document: TurtleDocument): Rule[] {
  return [...document.subjects()].map((subject) => {
    const rule = emptyRule();
    for (const [field, predicate] of fields) rule[field] = [...document.links(subject, predicate)];
    return rule;
  });
}

export function writeAcl(resource: string, rules: readonly Rule[]): string {
  return writeTurtle(
    rules.flatMap((rule, index): Triple[] => {
      const subject = `${aclAddress(resource)}#rule-${index + 1}`;
      return [
        link(subject, v.type, v.authorization),
        ...fields.flatMap(([field, predicate]) =>
          rule[field].map((target) => link(subject, predicate, target)),
        ),
      ];
    }),
  );
}

export function ownerRule(resource: string, ownerWebId: string): Rule {
  return agentRule(resource, ownerWebId, OWNER_MODES);
}

export function agentRule(resource: string, webId: string, modes: readonly AccessMode[]): Rule {
  return { ...ruleFor(resource, modes), agents: [webId] };
}

export function everyoneRule(resource: string, modes: readonly AccessMode[]): Rule {
  return { ...ruleFor(resource, modes), classes: [v.everyone] };
}

function ruleFor(resource: string, modes: readonly AccessMode[]): Rule {
  return { ...emptyRule(), modes: modes.map((mode) => v[mode]), ...targetsOf(resource) };
}

function emptyRule(): Rule {
  const modes: string[] = [];
  return { agents: [], classes: [], groups: [], origins: [], accessTo: [], default: [], modes };
}

/** In the server's spelling: in any other, the rule applies to nothing and locks the owner out. */
function targetsOf(resource: string): { accessTo: string[]; default: string[] } {
  const target = serverSpelling(resource);
  return { accessTo: [target], default: isFolder(resource) ? [target] : [] };
}

/** Changes the access of one agent. Everybody else keeps theirs, and the owner keeps control. */
export function changeRules(
  rules: readonly Rule[],
  change: { resource: string; ownerWebId: string; agent: string; modes: readonly AccessMode[] },
): Rule[] {
  const { resource, ownerWebId, agent, modes } = change;
  const kept = rules
    .map((rule) => ({ ...rule, agents: rule.agents.filter((other) => other !== agent) }))
    .filter((rule) => rule.agents.length + rule.classes.length + rule.groups.length > 0);
  if (!kept.some((rule) => givesFullControl(rule, ownerWebId))) {
    kept.push(ownerRule(resource, ownerWebId));
  }
  return modes.length === 0 ? kept : [...kept, agentRule(resource, agent, modes)];
}

function givesFullControl(rule: Rule, webId: string): boolean {
  const all = OWNER_MODES.every((mode) => rule.modes.includes(v[mode]));
  return all && rule.agents.includes(webId) && rule.accessTo.length > 0;
}

/** The rules that a folder above sets for its content, rewritten for a resource without a list of its own. */
export function inheritRules(rules: readonly Rule[], folder: string, resource: string): Rule[] {
  const wanted = canonicalResource(folder);
  return rules
    .filter((rule) => rule.default.some((target) => canonicalResource(target) === wanted))
    .map((rule) => ({ ...rule, ...targetsOf(resource) }));
}

/** Throws for a server without .acl rules: it would store an .acl like any document, and give access to nobody. */
export function requireAccessLists({
  root,
  hasAccessLists,
}: Pick<UnlockedPod, 'root' | 'hasAccessLists'>): void {
  if (!hasAccessLists) throw new AccessRulesError(root);
}

interface AccessChange {
  resources: readonly string[];
  pod: Pick<UnlockedPod, 'root' | 'webId' | 'hasAccessLists'>;
  agent: string;
  /** Empty to end the access that the agent was given by name. */
  modes: readonly AccessMode[];
}

/** Sets the access that one agent has by name; the access of others stays as it is. */
export async function changeAccess(
  client: SolidClient,
  { resources, pod, agent, modes }: AccessChange,
): Promise<void> {
  requireAccessLists(pod);
  const known: KnownRules = new Map();
  await Promise.all(
    resources.map(async (resource) => {
      const rules = await readEffectiveRules(client, resource, pod.root, known);
      const changed = changeRules(rules, { resource, ownerWebId: pod.webId, agent, modes });
      await writeRules(client, resource, changed);
    }),
  );
}

/** The owner may do everything, the readers may only read, and nobody else may do anything. */
interface ReaderAccess {
  ownerWebId: string;
  readers: readonly string[];
}

export async function restrictToReaders(
  client: SolidClient,
  resource: string,
  access: ReaderAccess,
): Promise<void> {
  await writeRules(client, resource, rulesFor(resource, access));
}

/** Null when the resource has no rules of its own: then those of a folder above it hold. */
export async function readRules(client: SolidClient, resource: string): Promise<Rule[] | null> {
  const document = await getTurtle(client, aclAddress(resource));
  return document === undefined ? null : parseAcl(document);
}

export async function writeRules(
  client: SolidClient,
  resource: string,
  rules: readonly Rule[],
): Promise<void> {
  await putDocument(client, aclAddress(resource), writeAcl(resource, rules));
}

/** The rules of the resource's own list; null when the list is missing or damaged. */
export async function readOwnRules(client: SolidClient, resource: string): Promise<Rule[] | null> {
  try {
    return await readRules(client, resource);
  } catch (error) {
    if (error instanceof AnalyserError && error.kind === 'malformed') return null;
    throw error;
  }
}

/** Ends the access that an agent has by name in the resource's own list; returns whether it had any. */
export async function removeReader(
  client: SolidClient,
  { resource, pod, agent }: Pick<AccessChange, 'pod' | 'agent'> & { resource: string },
): Promise<boolean> {
  const rules = await readOwnRules(client, resource);
  if (!rules?.some(({ agents }) => agents.includes(agent))) return false;
  await changeAccess(client, { resources: [resource], pod, agent, modes: [] });
  return true;
}

export function isRestrictedToReaders(
  rules: readonly Rule[] | null,
  resource: string,
  access: ReaderAccess,
): boolean {
  const spell = (some: readonly Rule[]) =>
    JSON.stringify(
      some.map((rule) => JSON.stringify({ ...rule, modes: rule.modes.toSorted() })).sort(),
    );
  return rules !== null && spell(rules) === spell(rulesFor(resource, access));
}

function rulesFor(resource: string, { ownerWebId, readers }: ReaderAccess): Rule[] {
  return [
    ownerRule(resource, ownerWebId),
    ...readers.map((reader) => agentRule(resource, reader, ['read'])),
  ];
}

type KnownRules = Map<string, Promise<Rule[] | null>>;

/** `known` keeps rules that were read: files of one folder look up the same folders above them. */
export async function readEffectiveRules(
  client: SolidClient,
  resource: string,
  root: string,
  known: KnownRules = new Map(),
): Promise<Rule[]> {
  const read = (from: string) => getOrAdd(known, from, () => readRules(client, from));
  const own = await read(resource);
  if (own !== null) return own;
  for (
    let folder = parentFolder(resource);
    folder.startsWith(root);
    folder = parentFolder(folder)
  ) {
    const rules = await read(folder);
    if (rules !== null) return inheritRules(rules, folder, resource);
  }
  return [];
}

/** Some servers leave the rules behind, and so does a removal that broke off. Returns whether there was either. */
export async function deleteWithRules(client: SolidClient, url: string): Promise<boolean> {
  // The rules go last: without them the document would be under those of its folder if it cannot be removed.
  const wasThere = await deleteDocument(client, url);
  return (await deleteDocument(client, aclAddress(url))) || wasThere;
}
