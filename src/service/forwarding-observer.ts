import { type ObservedEvent, type Observer, unobserved } from '../run/observer.js';

/** An analysis has thousands of events; a message for each would keep the other thread too busy to answer calls. */
const LONGEST_WAIT_MS = 100;

/** An observer whose events go to another thread, many in one message. */
export function createForwardingObserver(post: (events: ObservedEvent[]) => void): Observer {
  let waiting: ObservedEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    if (waiting.length > 0) post(waiting);
    waiting = [];
  };
  const add = (event: ObservedEvent) => {
    waiting.push(event);
    if (waiting.length === 1) timer = setTimeout(flush, LONGEST_WAIT_MS);
  };
  return {
    ...unobserved,
    async step(name, work) {
      const began = performance.now();
      try {
        return await work();
      } finally {
        add({ kind: 'step', name, milliseconds: performance.now() - began });
        // Sends at the end of a step, so that its counts are complete then.
        flush();
      }
    },
    note: add,
  };
}
