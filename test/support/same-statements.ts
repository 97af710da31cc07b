import { expect } from 'vitest';
import { visitTurtle } from '../../src/solid/documents/read-turtle.js';
import { scanTurtle, type VisitStatement } from '../../src/solid/documents/scan-turtle.js';

/** What the scanner calls whole must be what the full parser reads; true when it was whole. */
export function expectSameStatements(text: string, url: string): boolean {
  const scanned = collectInto(url);
  if (!scanTurtle(text, scanned.visit)) return false;
  const parsed = collectInto(url);
  visitTurtle(text, url, parsed.visit);
  expect(scanned.statements).toEqual(parsed.statements);
  return true;
}

function collectInto(url: string) {
  const statements: unknown[] = [];
  // The parser completes addresses.
  const plain = (name: string) => (URL.canParse(name, url) ? new URL(name, url).href : name);
  const visit: VisitStatement = (subject, predicate, object) => {
    const value = 'link' in object ? { link: plain(object.link) } : object;
    statements.push([plain(subject), plain(predicate), value]);
  };
  return { statements, visit };
}
