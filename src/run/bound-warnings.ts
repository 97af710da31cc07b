import { WarningList } from '../base/warning-list.js';

/** Strangers can cause any number of warnings, and every call stores a run document. */
const MOST_BYTES = 20_000;

/** The first of each kind, and how many more; what differs only by the address is of one kind. */
export function boundWarnings(warnings: readonly string[]): string[] {
  const kinds = new WarningList();
  for (const warning of warnings) kinds.add(warning.replace(/^https?:\/\/\S+: /, ''), warning);
  const shown: string[] = [];
  let room = MOST_BYTES;
  const listed = kinds.list();
  for (const warning of listed) {
    room -= Buffer.byteLength(warning);
    if (room < 0) break;
    shown.push(warning);
  }
  const left = listed.length - shown.length;
  return left === 0 ? shown : [...shown, `… and ${left} more warnings of other kinds`];
}
