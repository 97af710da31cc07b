import type { DestinationStream, Logger } from 'pino';
import { destination, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import { cleanLine } from './clean-text.js';
import { endLine } from './open-line.js';

export type { Logger };

/** Keys whose values are redacted, should a secret ever reach a log call. */
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
 * Logs go to stderr, so that stdout carries only the output of the mode. They are written
 * synchronously, because the last line before an exit matters most.
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

/** An entry can hold text from a server or a stranger, which must not control the terminal. */
function cleanEntry(line: string): string {
  const entry: unknown = JSON.parse(line, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    return key === 'stack' ? value.split('\n').map(cleanLine).join('\n') : cleanLine(value);
  });
  return `${JSON.stringify(entry)}\n`;
}
