import type { Memory } from '../../../src/memory/memory.js';

/** What earlier analyses have left that later ones may not change, or that explains what is found. */
export interface Past {
  /** The key of each published document, for ever. */
  keys: Map<string, string>;
  /** By the time of an analysis: who may ever read what it published. */
  recipients: Map<string, ReadonlySet<string>>;
  memory: Memory | null;
  /** By the root of their Pod: the lines of each log. */
  lines: Map<string, readonly string[]>;
  /** Runs that this var/ holds. */
  runIds: ReadonlySet<string>;
  /** The charts that were there before the analysis. */
  charts: ReadonlySet<string>;
  /** Everything in a Pod of somebody else than the Analyser that the Analyser does not write, by a digest. */
  others: Map<string, string>;
  /** Whether an older memory was put back, and nobody has confirmed. */
  isWithheld: boolean;
  /** All memories that were stored, the newest last. */
  bodies: string[];
  /** Whether strangers have done anything. */
  isMolested: boolean;
  /** Documents of keys that have values which strangers have planted. */
  spoilt: Set<string>;
  /** Sealed values and documents that were opened, each once. */
  opened: Map<string, string>;
}

export function nothingYet(): Past {
  return {
    keys: new Map(),
    recipients: new Map(),
    memory: null,
    lines: new Map(),
    runIds: new Set(),
    charts: new Set(),
    others: new Map(),
    isWithheld: false,
    bodies: [],
    isMolested: false,
    spoilt: new Set(),
    opened: new Map(),
  };
}
