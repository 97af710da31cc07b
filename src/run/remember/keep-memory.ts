import { withoutFullStop } from '../../base/sentences.js';
import type { Config } from '../../config/schema.js';
import type { Memory } from '../../memory/memory.js';
import { writeMemory } from '../../memory/memory-format.js';
import type { FoundMemory, StoredMemory } from '../../memory/stored-memory.js';
import type { CallInTurn } from '../../queue/turn.js';
import { raiseMemoryNote, readMemoryNote } from '../../store/memory-note.js';
import type { ResultsStore } from '../../store/results-store.js';
import { type Conclusion, conclude, type Findings } from '../conclude/conclude.js';
import type { Connection } from '../connection.js';
import type { Recipient } from '../publish/recipient-documents.js';

const MOST_TRIES = 3;

/** The memory together with what this machine has noted of it. */
export interface MemoryPlace {
  stored: StoredMemory;
  read(signal?: AbortSignal): Promise<FoundMemory>;
  note(version: number): Promise<void>;
}

export function memoryPlace(
  { memory: stored, pod: { webId } }: Pick<Connection, 'memory' | 'pod'>,
  { state_dir }: Pick<Config['output'], 'state_dir'>,
  results: Pick<ResultsStore, 'hasSentCohortFigure'>,
): MemoryPlace {
  return {
    stored,
    async read(signal) {
      const evidence = {
        note: await readMemoryNote(state_dir, webId),
        hasSentFigure: () => results.hasSentCohortFigure(webId),
      };
      return await stored.read(evidence, signal);
    },
    note: (version) => raiseMemoryNote(state_dir, webId, version),
  };
}

export interface KeptConclusion {
  conclusion: Conclusion;
  /** What is stored from now on. */
  version: number;
  warnings: readonly string[];
}

/** An analysis at its last checkpoint, as far as it concerns the memory. */
export interface MemoryToKeep {
  place: MemoryPlace;
  /** As the analysis found it. */
  before: FoundMemory;
  findings: Findings;
  /** What was concluded when all calls were still to be answered. */
  expected: Conclusion;
  /** Those that were not stopped. */
  calls: readonly CallInTurn[];
}

/**
 * Stores what is remembered from now on, past the last checkpoint and before any figure leaves. The
 * conclusion is made again where calls were stopped and where another process was quicker to write;
 * where nothing can be stored, without figures of the cohort. A trial run, without sharing, remembers
 * nothing.
 */
export async function keepMemory(
  config: Config,
  { place, before, findings, expected, calls }: MemoryToKeep,
): Promise<KeptConclusion> {
  const goingOn = calls.map(({ webId }) => webId);
  const concludeFrom = (stored: FoundMemory, withheld: string | null = null) =>
    conclude(config, findings, { stored, withheld, goingOn });
  // Perhaps nobody is left who is sent a figure of the cohort, and then none is released.
  const wereStopped = goingOn.length < findings.callers.length;
  let conclusion = wereStopped ? concludeFrom(before) : expected;
  let stored = before;
  if (!config.sharing.enabled) return { conclusion, version: stored.version, warnings: [] };
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const { memory } = conclusion;
    if (stored.isAsStored && isSame(memory, stored.memory)) {
      await place.note(stored.version);
      return { conclusion, version: stored.version, warnings: [] };
    }
    const outcome = await place.stored.write(stored, memory);
    if (outcome.kind === 'written') {
      await place.note(outcome.version);
      const warnings = outcome.isGuarded ? [] : [unguarded(place.stored.url)];
      return { conclusion, version: outcome.version, warnings };
    }
    if (outcome.kind === 'refused') {
      return unkept(stored, `${place.stored.url} could not be written: ${outcome.reason}`);
    }
    stored = await place.read();
    conclusion = concludeFrom(stored);
  }
  return unkept(stored, `${place.stored.url} was changed by other processes all the time`);

  function unkept(last: FoundMemory, reason: string): KeptConclusion {
    const withheld = withoutFullStop(reason);
    return {
      conclusion: concludeFrom(last, withheld),
      version: last.version,
      warnings: [`${UNKEPT}: ${withheld}.`],
    };
  }
}

const UNKEPT =
  'What this analysis found out was not remembered, so no figures of the cohort were sent';

/** Whether this warning of a run says that nothing was remembered. */
export function isUnkept(warning: string): boolean {
  return warning.startsWith(UNKEPT);
}

/** Those of a batch that nobody has made the Analyser forget since. */
export async function stillRemembered(
  place: MemoryPlace,
  version: number,
  batch: readonly Recipient[],
): Promise<readonly Recipient[]> {
  const now = await place.read();
  if (now.version === version) return batch;
  return batch.filter(({ pod }) => now.memory.pods.has(pod.owner.root));
}

export function unguarded(url: string): string {
  return `The storage server does not protect ${url} against two writers at once (it heeds no If-Match), so run one process only, or several over one output.state_dir.`;
}

function isSame(one: Memory, other: Memory): boolean {
  const textOf = (memory: Memory) => writeMemory({ version: 0, isGuarded: true, memory });
  return textOf(one) === textOf(other);
}
