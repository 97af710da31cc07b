import type { Printer } from './printer.js';

/** Prints an outcome, one aligned line for each field, or with --json as it is, for scripts. */
export function printFields(
  { print, printJson }: Printer,
  { json = false }: { json?: boolean },
  outcome: object,
  fields: ReadonlyArray<readonly [label: string, value: string | number | boolean]>,
): void {
  if (json) {
    printJson(outcome);
    return;
  }
  const width = Math.max(...fields.map(([label]) => label.length));
  for (const [label, value] of fields) print(`${label.padEnd(width)}  ${show(value)}`);
}

function show(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === '' ? '–' : String(value);
}
