import type { measureNames } from './reading.js';

/** One entry of a file with its values still unchecked; null for something that is no entry. */
export type Entry = Record<'timestamp' | (typeof measureNames)[number], unknown> | null;

/** Takes one entry after the other; returns false when it wants no more. */
export type EntrySink = (entry: Entry) => boolean;
