import { cutShort } from '../../src/documents/count-warnings.js';
import { address } from './split-addresses.js';

/** Warnings are sentences that name a file or a Pod. With the names taken out, equal ones are of one kind. */
export interface WarningGroup {
  kind: string;
  texts: string[];
  /** More than the texts where the run spelled out only the first ones. */
  count: number;
}

const quoted = /"[^"]*"|'[^']*'|`[^`]*`/g;
const digest = /\b[0-9a-f]{16,}\b/gi;
const number = /\b\d+(?:[.,]\d+)*\b/g;
export const hole = '…';

/** The commonest kind first; equal counts stay in the order of the run. */
export function groupWarnings(
  warnings: readonly string[],
  podIds: readonly string[],
): WarningGroup[] {
  const names = podIds.filter((id) => id !== '').sort((a, b) => b.length - a.length);
  const groups = new Map<string, WarningGroup>();
  let kind = '';
  for (const text of warnings) {
    const [, more, rest] = cutShort.exec(text) ?? [];
    if (more === undefined) kind = kindOf(text, names);
    else if (rest === undefined) kind = 'Other';
    else if (kind === '') kind = kindOf(rest, names);
    const group = groups.get(kind) ?? { kind, texts: [], count: 0 };
    groups.set(kind, group);
    group.texts.push(text);
    group.count += Number(more ?? 1);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

function kindOf(warning: string, names: readonly string[]): string {
  let text = warning.replace(address, hole);
  for (const name of names) if (text.includes(name)) text = text.replaceAll(name, hole);
  text = text
    .replace(quoted, hole)
    .replace(digest, hole)
    .replace(number, hole)
    .replace(/^(?:[\s…]*[:–—-]\s+)+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s*[:–—-]\s*…$/, '')
    .replace(/[.:]$/, '');
  if (text === '' || text === hole) return 'Other';
  return text.charAt(0).toUpperCase() + text.slice(1);
}
