import type { QueueLimits } from '../../src/service/analysis-queue.js';

export const unlimited: QueueLimits = {
  callersPerTurn: 64,
  all: 1000,
  perCaller: Infinity,
};
