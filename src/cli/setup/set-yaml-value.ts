import { type Document, isMap, isScalar, isSeq, parseDocument, stringify } from 'yaml';

export type YamlValue = string | number | null | readonly YamlItem[];
type YamlItem = string | Readonly<Record<string, string | number>>;

/**
 * Sets one key (`section.key`) in the text of a YAML file; null leaves it blank. Edits the text where it can,
 * because printing the parsed document moves its comments.
 */
export function setYamlValue(text: string, key: string, value: YamlValue): string {
  const document = parseDocument(text);
  const path = key.split('.');
  const is: unknown = document.getIn(path);
  if ((is ?? null) === value || JSON.stringify(is) === JSON.stringify(value)) return text;
  const place = findPlace(document, path);
  if (place === null) {
    document.setIn(path, value);
    return document.toString({ lineWidth: 0, flowCollectionPadding: false });
  }
  const written = value === null ? '' : ` ${onOneLine(value)}`;
  return `${text.slice(0, place.start)}${written}${text.slice(place.end)}`;
}

/**
 * The place in the text from behind the colon to the end of the value. Null when the key is missing, when its section
 * is in braces, and when its value is something else than a single value or a list in brackets.
 */
function findPlace(
  document: Document,
  path: readonly string[],
): { start: number; end: number } | null {
  const section = document.getIn(path.slice(0, -1));
  if (!isMap(section) || section.flow === true) return null;
  const pair = section.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
  if (!isScalar(pair?.key)) return null;
  const { key, value } = pair;
  if (!isScalar(value) && !(isSeq(value) && value.flow === true)) return null;
  const start = (key.range?.[1] ?? 0) + 1;
  const [from = 0, to = 0] = value.range ?? [];
  return { start, end: from === to ? start : to };
}

/** A value as YAML on one line: in quotes where YAML needs them, and a list as JSON, which YAML includes. */
function onOneLine(value: Exclude<YamlValue, null>): string {
  if (typeof value === 'object') return JSON.stringify(value);
  return stringify(value, { lineWidth: 0, blockQuote: false }).trimEnd();
}
