import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** Of the time; what is left goes between two answers. */
const BUSY = 0.9;

/** Each check answers for the time since the one before. */
export function createBusyCheck(): () => boolean {
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, last);
    last = current;
    return utilization > BUSY;
  };
}
