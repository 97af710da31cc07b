import { type Cure, findCure } from './read-cures.js';

/** Put in by web/vite.config.ts when the page is built. */
declare const CURES: readonly Cure[];

/** What to do about a warning, as docs/troubleshooting.md has it; null where it says nothing. */
export function cureOf(warning: string): string | null {
  return findCure(CURES, warning);
}
