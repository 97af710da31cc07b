import { AnalyserError } from '../../base/errors.js';
import { getOrAdd } from '../../base/lists.js';
import { writeIri, writeObject } from '../../solid/sparql-update.js';
import type { Triple, TurtleDocument } from '../../solid/turtle.js';
import { canonicalResource } from '../addresses.js';

const SOLID_TERMS = 'https://solidcommunity.au/predicates/terms#';
const DATA = 'https://solidcommunity.au/predicates/data#';
const ACL = 'http://www.w3.org/ns/auth/acl#';

/** The names that the client app uses: both programs read and write the same documents. */
export const vocabulary = {
  type: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type',
  title: 'http://purl.org/dc/terms/title',
  personalProfileDocument: 'http://xmlns.com/foaf/0.1/PersonalProfileDocument',
  everyone: 'http://xmlns.com/foaf/0.1/Agent',
  resourceId: 'https://solidcommunity.au/predicates/resourceid#',
  logId: 'https://solidcommunity.au/predicates/logid#',
  encKey: `${SOLID_TERMS}encKey`,
  prvKey: `${SOLID_TERMS}prvKey`,
  pubKey: `${SOLID_TERMS}pubKey`,
  iv: `${SOLID_TERMS}iv`,
  salt: `${SOLID_TERMS}salt`,
  keyVersion: `${SOLID_TERMS}keyVersion`,
  path: `${SOLID_TERMS}path`,
  sessionKey: `${SOLID_TERMS}sessionKey`,
  encData: `${SOLID_TERMS}encData`,
  inheritKeyFrom: `${SOLID_TERMS}inheritKeyFrom`,
  sharedPath: `${DATA}path`,
  sharedAccess: `${DATA}accessList`,
  sharedKey: `${DATA}sharedKey`,
  log: `${DATA}log`,
  authorization: `${ACL}Authorization`,
  agent: `${ACL}agent`,
  agentClass: `${ACL}agentClass`,
  agentGroup: `${ACL}agentGroup`,
  origin: `${ACL}origin`,
  accessTo: `${ACL}accessTo`,
  default: `${ACL}default`,
  mode: `${ACL}mode`,
  read: `${ACL}Read`,
  write: `${ACL}Write`,
  append: `${ACL}Append`,
  control: `${ACL}Control`,
} as const;

export function text(subject: string, predicate: string, value: string): Triple {
  return { subject, predicate, object: { literal: value } };
}

export function link(subject: string, predicate: string, object: string): Triple {
  return { subject, predicate, object: { link: object } };
}

export function writeTurtle(triples: readonly Triple[]): string {
  const paragraphs = new Map<string, string[]>();
  for (const { subject, predicate, object } of triples) {
    const line = `    ${writeIri(predicate)} ${writeObject(object)}`;
    getOrAdd(paragraphs, subject, () => []).push(line);
  }
  return [...paragraphs]
    .map(([subject, lines]) => `${writeIri(subject)}\n${lines.join(' ;\n')} .\n`)
    .join('\n');
}

/** The document's own address comes first, then any subject: when the server is renamed, subjects are old addresses. */
export function singleValues(document: TurtleDocument) {
  const everywhere = [...document.subjects()];
  /** In every spelling. Found only if needed: most documents hold one value, and a stranger's many thousands. */
  let own: readonly string[] | null = null;
  const findOwn = () => {
    const wanted = canonicalResource(document.url);
    return everywhere.filter((subject) => canonicalResource(subject) === wanted);
  };
  const valuesOf = (subjects: readonly string[], predicate: string) =>
    new Set(subjects.flatMap((subject) => document.literals(subject, predicate)));

  /** Throws for two different values, like the client app. */
  const oneOrNull = (predicate: string): string | null => {
    let values = valuesOf(everywhere, predicate);
    if (values.size > 1) {
      own ??= findOwn();
      const ownValues = valuesOf(own, predicate);
      if (ownValues.size > 0) values = ownValues;
    }
    const [value = null, ...more] = values;
    if (more.length === 0) return value;
    const problem = `it has ${values.size} values for ${shortName(predicate)} where one belongs`;
    throw malformed(document.url, problem);
  };
  const one = (predicate: string): string => {
    const value = oneOrNull(predicate);
    if (value !== null) return value;
    throw malformed(document.url, `it has no ${shortName(predicate)}`);
  };
  return { one, oneOrNull };
}

export function malformed(url: string, reason: string): AnalyserError {
  return new AnalyserError('malformed', `${url} cannot be used: ${reason}.`);
}

function shortName(predicate: string): string {
  return predicate.slice(predicate.lastIndexOf('#') + 1);
}
