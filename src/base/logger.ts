import { isatty } from 'node:tty';
import type { DestinationStream, Logger } from 'pino';
import { destination, pino, stdSerializers } from 'pino';
import { PinoPretty } from 'pino-pretty';
import { cleanLine } from './clean-text.js';
import { AnalyserError, messageOf } from './errors.js';
import { endLine } from './open-line.js';

export type { Logger };

/** The properties that hold secrets, by their names in files and in code, and the headers that carry secrets. */
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
  'authorization',
  'Authorization',
  'dpop',
  'DPoP',
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
      redact: {
        paths: secretProperties.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
        censor: '[redacted]',
      },
    },
    typeof stream === 'number' ? openStream(stream) : stream,
  );
}

/**
 * Logs only these properties of an error, because errors of libraries can hold sent values, such as the password for
 * Redis. The message of an AnalyserError explains the failure to an operator, so its stack is logged only with
 * `verbose`.
 */
function describeError(error: unknown, verbose: boolean): unknown {
  if (!(error instanceof Error)) return error;
  const { name: type, message, cause } = error;
  const isExplained = error instanceof AnalyserError && !verbose;
  return {
    type,
    message,
    ...(cause !== undefined && { cause: messageOf(cause) }),
    ...(!isExplained && { stack: stdSerializers.err(error).stack }),
  };
}

/**
 * Writes each line in one piece, so that two threads can share a log. Writes it at once, because
 * the last line before an exit matters most.
 */
function openStream(fd: number): DestinationStream {
  if (!isatty(fd)) return destination({ dest: fd, sync: true });
  const pretty = PinoPretty({
    destination: fd,
    sync: true,
    colorize: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
  });
  return {
    write(line) {
      endLine(process.stderr);
      pretty.write(cleanEntry(line));
    },
  };
}

/** An entry can hold text from a server or a stranger, which must not control the terminal. */
function cleanEntry(line: string): string {
  const entry: unknown = JSON.parse(line, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    return key === 'stack' ? value.split('\n').map(cleanLine).join('\n') : cleanLine(value);
  });
  return `${JSON.stringify(entry)}\n`;
}
