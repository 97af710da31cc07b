import { expect, test } from 'vitest';
import { AnalyserError } from './errors.js';
import { createLogger } from './logger.js';

function collect() {
  const lines: string[] = [];
  return { lines, stream: { write: (line: string) => void lines.push(line) } };
}

test('secret-like keys are redacted at the top and two levels down', () => {
  const { lines, stream } = collect();
  const log = createLogger({ verbose: false, stream });
  log.info(
    {
      token: 's3cret',
      credentials: { client_secret: 's3cret' },
      request: { headers: { authorization: 's3cret' } },
    },
    'asked',
  );
  expect(lines.join('')).toContain('[redacted]');
  expect(lines.join('')).not.toContain('s3cret');
});

test('debug lines appear only when verbose', () => {
  const quiet = collect();
  createLogger({ verbose: false, stream: quiet.stream }).debug('detail');
  expect(quiet.lines).toEqual([]);
  const verbose = collect();
  createLogger({ verbose: true, stream: verbose.stream }).debug('detail');
  expect(verbose.lines).toHaveLength(1);
});

test('a logged error carries its message and that of its cause', () => {
  const { lines, stream } = collect();
  const error = new AnalyserError('disk', 'The disk is full.', { cause: new Error('ENOSPC') });
  createLogger({ verbose: false, stream }).error({ err: error }, 'could not write');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    err: { type: 'AnalyserError', message: 'The disk is full.', cause: 'ENOSPC' },
  });
});

test('only a mistake of ours carries its place in the code, unless verbose', () => {
  const stackOf = (err: Error, verbose: boolean) => {
    const { lines, stream } = collect();
    createLogger({ verbose, stream }).error({ err }, 'failed');
    return (lines[0] ?? '').includes('logger.test.ts');
  };
  const explained = new AnalyserError('disk', 'The disk is full.');
  expect(stackOf(explained, false)).toBe(false);
  expect(stackOf(explained, true)).toBe(true);
  expect(stackOf(new TypeError('x is undefined'), false)).toBe(true);
});

test('a logged error carries nothing else, such as the command that a library sent', () => {
  const { lines, stream } = collect();
  const error = Object.assign(new Error('WRONGPASS'), { command: { args: ['user', 's3cret'] } });
  createLogger({ verbose: false, stream }).error({ err: error }, 'refused');
  expect(lines[0]).toContain('WRONGPASS');
  expect(lines[0]).not.toContain('s3cret');
});
