import { inspect, styleText } from 'node:util';
import { pino } from 'pino';
import { z } from 'zod';
import { cleanLine } from './clean-text.js';

const lineSchema = z.looseObject({
  level: z.number(),
  time: z.string(),
  msg: z.string().default(''),
});

/** A line of the log as somebody reads it on a terminal: the time of day, the level, the message, the rest below. */
export function terminalLine(line: string): string {
  const { level, time, msg, ...rest } = lineSchema.parse(JSON.parse(line, cleanValue));
  const clock = new Date(time).toTimeString().slice(0, 'hh:mm:ss'.length);
  const label = (pino.levels.labels[level] ?? String(level)).toUpperCase();
  const colour = level >= 50 ? 'red' : level >= 40 ? 'yellow' : 'green';
  const details = inspect(rest, { colors: true, depth: null });
  const below = Object.keys(rest).length === 0 ? '' : `\n${details}`;
  return `[${clock}] ${styleText(colour, label)}: ${msg}${below}\n`;
}

/** A line can hold text from a server or a stranger, which must not control the terminal. */
function cleanValue(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return key === 'stack' ? value.split('\n').map(cleanLine).join('\n') : cleanLine(value);
}
