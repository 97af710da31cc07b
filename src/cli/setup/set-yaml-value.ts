import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

export type YamlValue = string | number | null | readonly YamlItem[];
type YamlItem = string | Readonly<Record<string, string | number>>;

/**
 * Sets one key (`section.key`) in the text of a YAML file; null leaves it blank. This edits the text,
 * because parsing and printing the document would move its comments.
 */
export function setYamlValue(text: string, key: string, value: YamlValue): string {
  const document = parseDocument(text);
  const path = key.split('.');
  const is: unknown = document.getIn(path);
  if ((is ?? null) === value || JSON.stringify(is) === JSON.stringify(value)) return text;
  const place = findPlace(document.contents, path);
  if (place === null) {
    document.setIn(path, value);
    return document.toString({ lineWidth: 0, flowCollectionPadding: false });
  }
  const written = value === null ? '' : ` ${write(value)}`;
  return `${text.slice(0, place.start)}${written}${text.slice(place.end)}`;
}

/** The range from the colon to the end of the value; null when the key is missing. */
function findPlace(
  contents: unknown,
  path: readonly string[],
): { start: number; end: number } | null {
  let node = contents;
  let place: { start: number; end: number } | null = null;
  for (const name of path) {
    if (!isMap(node) || node.flow === true) return null;
    const pair = node.items.find((item) => isScalar(item.key) && item.key.value === name);
    if (pair === undefined || !isScalar(pair.key)) return null;
    const start = (pair.key.range?.[1] ?? 0) + 1;
    node = pair.value;
    place = { start, end: endOf(node) ?? start };
  }
  return isScalar(node) || (isSeq(node) && node.flow === true) ? place : null;
}

/** The end of a scalar or an inline list; null for a blank value and for a section. */
function endOf(node: unknown): number | null {
  if (isSeq(node)) return (node.flow === true ? node.range?.[1] : null) ?? null;
  if (!isScalar(node) || node.source === undefined || node.source === '') return null;
  return node.range?.[1] ?? null;
}

/** Quotes a value that would mean something else without quotes, as JSON, which is YAML too. */
function write(value: Exclude<YamlValue, null> | YamlItem): string {
  if (isList(value)) return `[${value.map(write).join(', ')}]`;
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value === 'number') return String(value);
  const looksPlain = /^[A-Za-z][\w.~/:%+=-]*(#me)?$/.test(value);
  const means: unknown = looksPlain ? parseDocument(value).toJS() : undefined;
  return means === value ? value : JSON.stringify(value);
}

function isList(value: YamlValue | YamlItem): value is readonly YamlItem[] {
  return Array.isArray(value);
}
