import { writeIri, writeObject } from '../../solid/sparql-update.js';
import type { Triple } from '../../solid/turtle-document.js';

export function text(subject: string, predicate: string, value: string): Triple {
  return { subject, predicate, object: { literal: value } };
}

export function link(subject: string, predicate: string, object: string): Triple {
  return { subject, predicate, object: { link: object } };
}

/** One paragraph for each subject. */
export function writeTurtle(triples: readonly Triple[]): string {
  const paragraphs = new Map<string, string[]>();
  for (const { subject, predicate, object } of triples) {
    const lines = paragraphs.get(subject) ?? [];
    lines.push(`    ${writeIri(predicate)} ${writeObject(object)}`);
    paragraphs.set(subject, lines);
  }
  return [...paragraphs]
    .map(([subject, lines]) => `${writeIri(subject)}\n${lines.join(' ;\n')} .\n`)
    .join('\n');
}
