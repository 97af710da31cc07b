/**
 * The line that ends a long list of warnings of one kind; it follows directly after the warnings that it cuts short.
 */
export const cutShort = /^… and (\d+) more: (.+)$/s;

export function countWarnings(warnings: readonly string[]): number {
  return warnings.reduce((sum, text) => sum + Number(cutShort.exec(text)?.[1] ?? 1), 0);
}
