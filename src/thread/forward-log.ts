import { z } from 'zod';
import { createLogger, type Logger } from '../base/logger.js';

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
