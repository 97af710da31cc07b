import { writeObject } from '../../../src/solid/sparql-update.js';
import type { Triple } from '../../../src/solid/turtle.js';
import { statementsIn } from './statements.js';

interface UpdateStep {
  kind: 'insert' | 'delete' | 'delete all';
  text: string;
}

const forms: readonly [string, UpdateStep['kind']][] = [
  ['INSERT DATA', 'insert'],
  ['DELETE DATA', 'delete'],
  ['DELETE', 'delete all'],
];

/** The three forms that src/solid/sparql-update.ts writes; null for any other text. */
export function parseUpdate(text: string): UpdateStep[] | null {
  const steps: UpdateStep[] = [];
  for (let rest = text.trim(); rest !== ''; rest = rest.replace(/^\s*;?\s*/, '')) {
    const [head = '', kind] = forms.find(([name]) => rest.startsWith(name)) ?? [];
    const block = kind === undefined ? null : takeBlock(rest.slice(head.length));
    if (kind === undefined || block === null) return null;
    steps.push({ kind, text: block.inner });
    rest = block.rest;
    if (kind === 'delete all') rest = takeBlock(rest.replace(/^\s*WHERE/, ''))?.rest ?? '';
  }
  return steps;
}

function takeBlock(text: string): { inner: string; rest: string } | null {
  const start = text.indexOf('{');
  let end = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text[at];
    if (end === '"' && sign === '\\') at += 1;
    else if (end !== '') end = sign === end ? '' : end;
    else if (sign === '"') end = '"';
    else if (sign === '<') end = '>';
    else if (sign === '}') return { inner: text.slice(start + 1, at), rest: text.slice(at + 1) };
  }
  return null;
}

const spell = ({ subject, predicate, object }: Triple) =>
  JSON.stringify([subject, predicate, object]);

export function applyUpdate(
  before: readonly Triple[],
  steps: readonly UpdateStep[],
  url: string,
): Triple[] {
  const triples = new Map(before.map((triple) => [spell(triple), triple]));
  for (const { kind, text } of steps) {
    if (kind === 'delete all') {
      const [, subject = '', predicate = ''] = /<([^>]*)>\s+<([^>]*)>\s+\?any/.exec(text) ?? [];
      for (const [name, triple] of triples) {
        if (triple.subject === subject && triple.predicate === predicate) triples.delete(name);
      }
      continue;
    }
    for (const triple of statementsIn(text, url)) {
      if (kind === 'insert') triples.set(spell(triple), triple);
      else triples.delete(spell(triple));
    }
  }
  return [...triples.values()];
}

/** As the Community Solid Server writes a document anew: addresses of its own origin are relative. */
export function writeTriples(triples: readonly Triple[], url: string): string {
  const node = (name: string) => (name.startsWith('_:') ? name : `<${relativeTo(name, url)}>`);
  const object = (value: Triple['object']) =>
    'link' in value ? node(value.link) : writeObject(value);
  return triples
    .map((one) => `${node(one.subject)} ${node(one.predicate)} ${object(one.object)}.\n`)
    .join('');
}

function relativeTo(name: string, url: string): string {
  return name === url || name.startsWith(`${url}#`) ? name.slice(url.length) : name;
}
