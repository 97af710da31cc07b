import type { Analysis } from '../api/guards.js';

/** Its runs have most of their warnings in common. */
export function warningsOf({ runs }: Analysis): number {
  return Math.max(0, ...runs.map(({ warnings }) => warnings));
}

/** Each run tells of the deliveries to its own caller. */
export function failedDeliveriesOf({ runs }: Analysis): number {
  return runs.reduce((sum, { failed_deliveries }) => sum + failed_deliveries, 0);
}
