import type { QueueLimits } from '../../src/service/analysis-queue.js';
import type { Held } from '../../src/service/turn.js';

export const unlimited: QueueLimits = {
  callsPerTurn: 64,
  waiting: 1000,
  perCaller: Infinity,
};

/** The lock that nobody else wants, and a marker that nobody reads. */
export const heldInTest: Held = {
  runIds: [],
  requireLock: () => Promise.resolve(),
  noteEnd: () => Promise.resolve(),
};
