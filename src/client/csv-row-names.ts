/** A sentence names no more rows than this. */
const MOST_IN_A_SENTENCE = 10;

/** The name of the row at this place in the list. The header is row 1, and blank rows are not counted. */
export function csvRowName(index: number): string {
  return `Row ${index + 2}`;
}

/** "Row 2", "Rows 2 and 5", "Rows 2, 3, 4 and 20 more". */
export function nameRows(indexes: readonly number[]): string {
  const [first = 0] = indexes;
  if (indexes.length <= 1) return csvRowName(first);
  const isLong = indexes.length > MOST_IN_A_SENTENCE;
  const named = indexes.slice(0, isLong ? MOST_IN_A_SENTENCE : -1).map((index) => index + 2);
  const rest = isLong ? `${indexes.length - named.length} more` : (indexes.at(-1) ?? 0) + 2;
  return `Rows ${named.join(', ')} and ${rest}`;
}
