import type { measureNames } from './reading.js';

/** What one entry of a file says, before anything is believed; null for what is no entry. */
export type Entry = Record<'timestamp' | (typeof measureNames)[number], unknown> | null;

/** Takes one entry after the other; false: it wants no more. */
export type EntrySink = (entry: Entry) => boolean;
