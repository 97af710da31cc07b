import { cleanLine } from './clean-text.js';
import { getOrAdd } from './lists.js';

const MOST_OF_A_KIND = 20;
const LONGEST = 500;

/** Strangers can cause any number of warnings, so only the first of each kind are spelled out. */
export class WarningList {
  readonly #kinds = new Map<string, { shown: string[]; more: number }>();

  add(kind: string, warning: string): void {
    const counted = getOrAdd(this.#kinds, kind, () => ({ shown: [], more: 0 }));
    if (counted.shown.length < MOST_OF_A_KIND) counted.shown.push(shorten(warning));
    else counted.more += 1;
  }

  list(): string[] {
    return [...this.#kinds].flatMap(([kind, { shown, more }]) =>
      more === 0 ? shown : [...shown, `… and ${more} more: ${kind}`],
    );
  }
}

/** Between words: a part of an address would stay when somebody is erased by their address. */
function shorten(text: string): string {
  const short = text.slice(0, LONGEST);
  return cleanLine(short === text ? text : short.replace(/ \S*$/, ' …'));
}
