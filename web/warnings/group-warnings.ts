/** Warnings are sentences that name a file or a Pod. With the names taken out, equal ones are of one kind. */
export interface WarningGroup {
  kind: string;
  texts: string[];
}

const address = /\bhttps?:\/\/[^\s"'<>]*[^\s"'<>.,:;!?)\]]/g;
const quoted = /"[^"]*"|'[^']*'|`[^`]*`/g;
const number = /\b\d+(?:[.,]\d+)*\b/g;
const hole = '…';

/** The commonest kind first; equal counts stay in the order of the run. */
export function groupWarnings(
  warnings: readonly string[],
  podIds: readonly string[],
): WarningGroup[] {
  const names = [...podIds].filter((id) => id !== '').sort((a, b) => b.length - a.length);
  const groups = new Map<string, string[]>();
  for (const warning of warnings) {
    const kind = kindOf(warning, names);
    const texts = groups.get(kind);
    if (texts === undefined) groups.set(kind, [warning]);
    else texts.push(warning);
  }
  return [...groups]
    .map(([kind, texts]) => ({ kind, texts }))
    .sort((a, b) => b.texts.length - a.texts.length);
}

function kindOf(warning: string, names: readonly string[]): string {
  let text = warning.replace(address, hole);
  for (const name of names) if (text.includes(name)) text = text.replaceAll(name, hole);
  text = text
    .replace(quoted, hole)
    .replace(number, hole)
    .replace(/^(?:[\s…]*[:–—-]\s+)+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s*[:–—-]\s*…$/, '')
    .replace(/[.:]$/, '');
  if (text === '' || text === hole) return 'Other';
  return text.charAt(0).toUpperCase() + text.slice(1);
}
