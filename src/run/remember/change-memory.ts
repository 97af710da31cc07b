import { AnalyserError } from '../../base/errors.js';
import { withoutFullStop } from '../../base/sentences.js';
import type { Memory } from '../../memory/memory.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import type { MemoryPlace } from './keep-memory.js';

const MOST_TRIES = 3;

/** Changes the memory for an operator, whoever else writes; throws why it could not be stored. */
export async function changeMemory(
  place: MemoryPlace,
  change: (found: FoundMemory) => Memory,
): Promise<void> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const found = await place.read();
    const outcome = await place.stored.write(found, change(found));
    if (outcome.kind === 'written') {
      await place.note(outcome.version);
      return;
    }
    if (outcome.kind === 'refused') {
      const reason = withoutFullStop(outcome.reason);
      throw new AnalyserError('server', `${place.stored.url} could not be written: ${reason}.`);
    }
  }
  throw new AnalyserError(
    'server',
    `${place.stored.url} is being changed by other processes all the time. Try again.`,
  );
}
