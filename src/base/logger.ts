import { isatty } from 'node:tty';
import { inspect, styleText } from 'node:util';
import type { DestinationStream, Logger } from 'pino';
import { destination, pino, stdSerializers } from 'pino';
import { z } from 'zod';
import { cleanLine } from './clean-text.js';
import { AnalyserError, messageOf } from './errors.js';
import { endLine } from './open-line.js';

export type { Logger };

const secretProperties = [
  'security_key',
  'client_id',
  'client_secret',
  'token',
  'redis_url',
  'password',
  'securityKey',
  'clientId',
  'clientSecret',
  'grpcToken',
  'redisUrl',
  'access_token',
];

interface LoggerOptions {
  verbose: boolean;
  /** A number is the descriptor of an open file. Default: stderr, so that stdout carries only the output of modes. */
  stream?: DestinationStream | number;
}

export function createLogger({ verbose, stream = 2 }: LoggerOptions): Logger {
  return pino(
    {
      level: verbose ? 'debug' : 'info',
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { err: (error: unknown) => describeError(error, verbose) },
      formatters: { log: withoutObjects },
      redact: { paths: secretProperties, censor: '[redacted]' },
    },
    typeof stream === 'number' ? openStream(stream) : stream,
  );
}

/** An object can hold keys, readings or headers somewhere below, under any name. */
function withoutObjects(fields: Record<string, unknown>): Record<string, unknown> {
  const shown = ([key, value]: [string, unknown]) => {
    const isShown = typeof value !== 'object' || value === null || key === 'err';
    return [key, isShown ? value : '[not logged]'] as const;
  };
  return Object.fromEntries(Object.entries(fields).map(shown));
}

/**
 * Errors of libraries can hold sent values, such as the password for Redis. An AnalyserError explains itself to an
 * operator, so its stack is logged only with `verbose`.
 */
function describeError(error: unknown, verbose: boolean): unknown {
  if (!(error instanceof Error)) return messageOf(error);
  const { name: type, message, cause } = error;
  const isExplained = error instanceof AnalyserError && !verbose;
  return {
    type,
    message,
    ...(cause !== undefined && { cause: messageOf(cause) }),
    ...(!isExplained && { stack: stdSerializers.err(error).stack }),
  };
}

/** Writes a line in one piece, as two threads share a log, and at once: the last line before an exit matters most. */
function openStream(fd: number): DestinationStream {
  const stream = destination({ dest: fd, sync: true });
  if (!isatty(fd)) return stream;
  return {
    write(line) {
      endLine(process.stderr);
      stream.write(terminalLine(line));
    },
  };
}

const lineSchema = z.looseObject({
  level: z.number(),
  time: z.string(),
  msg: z.string().default(''),
});

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
