import { serverSpelling } from '../../solid/server-spelling.js';
import type { Triple, TurtleDocument } from '../../solid/turtle-document.js';
import { canonicalResource, isFolder } from '../resource-address.js';
import { vocabulary as v } from '../vocabulary.js';
import { link, writeTurtle } from './write-turtle.js';

export type AccessMode = 'read' | 'write' | 'append' | 'control';

/** The parts of a rule, with the predicate of each. */
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

export function aclAddress(resource: string): string {
  return `${resource}.acl`;
}

/** Whether the answer about a resource names its `.acl` document as the list of its rules. */
export function keepsAccessLists(url: string, headers: Readonly<Record<string, string>>): boolean {
  const named = /<([^>]*)>\s*;[^,]*\brel="?acl"?/i.exec(headers['link'] ?? '')?.[1];
  if (named === undefined || !URL.canParse(named, url)) return false;
  return serverSpelling(new URL(named, url).href) === serverSpelling(aclAddress(url));
}

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
