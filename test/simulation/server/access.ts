import { statementsIn, valuesOf } from './statements.js';

const ACL = 'http://www.w3.org/ns/auth/acl#';
export const EVERYBODY = 'http://xmlns.com/foaf/0.1/Agent';

const modes = ['read', 'write', 'append', 'control'] as const;
export type Mode = (typeof modes)[number];

/** One rule of a list of access. */
interface Rule {
  agents: readonly string[];
  isForAll: boolean;
  accessTo: readonly string[];
  default: readonly string[];
  modes: readonly Mode[];
}

export function isAcl(url: string): boolean {
  return url.endsWith('.acl');
}

export function parentOf(url: string): string {
  return url.slice(0, url.lastIndexOf('/', url.length - 2) + 1);
}

/** From the inmost to the root of the server. */
export function foldersAround(url: string): string[] {
  const folder = parentOf(url);
  return folder.endsWith('//') ? [] : [folder, ...foldersAround(folder)];
}

/** Web Access Control over the documents of a server. `textOf` returns the same object for the same version. */
export class AccessRules {
  readonly #read = new WeakMap<Buffer, readonly Rule[]>();

  constructor(private readonly bodyOf: (url: string) => Buffer | null) {}

  /** What the agent may do with a resource; null stands for everybody. */
  modesOf(url: string, agent: string | null): ReadonlySet<Mode> {
    const subject = isAcl(url) ? url.slice(0, -'.acl'.length) : url;
    const granted = this.#rulesFor(subject)
      .filter(({ isForAll, agents }) => isForAll || (agent !== null && agents.includes(agent)))
      .flatMap((rule) => rule.modes);
    const all = new Set(granted);
    if (all.has('write')) all.add('append');
    if (!isAcl(url)) return all;
    return all.has('control') ? new Set(modes) : new Set();
  }

  #rulesFor(subject: string): readonly Rule[] {
    const own = this.#rulesIn(`${subject}.acl`);
    if (own !== null) return own.filter(({ accessTo }) => accessTo.includes(subject));
    for (const folder of foldersAround(subject)) {
      const rules = this.#rulesIn(`${folder}.acl`);
      if (rules !== null) return rules.filter((rule) => rule.default.includes(folder));
    }
    return [];
  }

  #rulesIn(url: string): readonly Rule[] | null {
    const body = this.bodyOf(url);
    if (body === null) return null;
    const known = this.#read.get(body);
    if (known !== undefined) return known;
    const statements = statementsIn(body, url);
    const subjects = new Set(statements.map(({ subject }) => subject));
    const rules = Array.from(subjects, (subject): Rule => {
      const links = (name: string) => valuesOf(statements, subject, `${ACL}${name}`);
      const named = links('mode').map((mode) => mode.slice(ACL.length).toLowerCase());
      return {
        agents: links('agent'),
        isForAll: links('agentClass').includes(EVERYBODY),
        accessTo: links('accessTo'),
        default: links('default'),
        modes: modes.filter((mode) => named.includes(mode)),
      };
    });
    this.#read.set(body, rules);
    return rules;
  }
}

/** A list that gives its owner everything, and one reader or everybody the right to read. */
export function writeRules(
  target: string,
  owner: string,
  { readers, isInherited = false }: { readers?: string; isInherited?: boolean } = {},
): string {
  const inner = isInherited ? `<${ACL}default> <${target}>;` : '';
  const rule = (name: string, who: string, may: readonly string[]) =>
    `<#${name}> a <${ACL}Authorization>; ${who}; <${ACL}accessTo> <${target}>; ${inner} <${ACL}mode> ${may.map((mode) => `<${ACL}${mode}>`).join(', ')} .\n`;
  const own = rule('owner', `<${ACL}agent> <${owner}>`, ['Read', 'Write', 'Control']);
  if (readers === undefined) return own;
  const who =
    readers === EVERYBODY ? `<${ACL}agentClass> <${EVERYBODY}>` : `<${ACL}agent> <${readers}>`;
  return own + rule('readers', who, ['Read']);
}
