/** The last line of a long list of warnings, of one kind or of all kinds: it says how many more there are. */
export const cutShort = /^… and (\d+) more(?:: (.+)| warnings of other kinds)$/s;

export function countWarnings(warnings: readonly string[]): number {
  return warnings.reduce((sum, text) => sum + Number(cutShort.exec(text)?.[1] ?? 1), 0);
}
