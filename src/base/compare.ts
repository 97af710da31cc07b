/** The order of texts by their characters, the same in every language. */
export function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
