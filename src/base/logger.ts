import type { DestinationStream, Logger } from 'pino';
import { destination, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import { cleanLine } from './clean-text.js';
import { endLine } from './open-line.js';

export type { Logger };

/** A secret should never reach a log call; this catches the one that does. */
const secretKeys = [
  'securityKey',
  'security_key',
  'clientId',
  'client_id',
  'clientSecret',
  'client_secret',
  'grpcToken',
  'redisUrl',
  'redis_url',
  'token',
  'access_token',
  'authorization',
  'Authorization',
  'dpop',
  'DPoP',
  'password',
];

/**
 * Everything goes to stderr, so that stdout carries only what a mode was asked for.
 * Written synchronously: the last line before an exit is the one that matters most.
 */
export function createLogger(options: { verbose: boolean; stream?: DestinationStream }): Logger {
  return pino(
    {
      level: options.verbose ? 'debug' : 'info',
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: {
        paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
        censor: '[redacted]',
      },
    },
    options.stream ?? stderrStream(),
  );
}

function stderrStream(): DestinationStream {
  if (!process.stderr.isTTY) return destination({ dest: 2, sync: true });
  const pretty = PinoPretty({
    destination: 2,
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

/** An entry can hold what a server or a stranger wrote, which must not drive the terminal. */
function cleanEntry(line: string): string {
  const entry: unknown = JSON.parse(line, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    return key === 'stack' ? value.split('\n').map(cleanLine).join('\n') : cleanLine(value);
  });
  return `${JSON.stringify(entry)}\n`;
}
