import { z } from 'zod';
import { createLogger, type Logger } from '../base/logger.js';
import { type ObservedEvent, type Observer, unobserved } from '../run/observer.js';

const logLine = z.looseObject({ level: z.number(), time: z.string().optional(), msg: z.string() });

export function createForwardingLogger(verbose: boolean, post: (line: string) => void): Logger {
  return createLogger({ verbose, stream: { write: post } });
}

export function writeForwarded(log: Logger, line: string): void {
  const { level, time: _time, msg, ...fields } = logLine.parse(JSON.parse(line));
  if (level >= 50) log.error(fields, msg);
  else if (level >= 40) log.warn(fields, msg);
  else if (level >= 30) log.info(fields, msg);
  else log.debug(fields, msg);
}

/** Requests come by the thousand; one message for each would keep the other thread from its calls. */
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
        // What is counted of a step is known when the step has ended.
        flush();
      }
    },
    note: add,
  };
}
