import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { AnalyserError } from './errors.js';
import { createLogger, terminalLine } from './logger.js';

function collect() {
  const lines: string[] = [];
  return { lines, stream: { write: (line: string) => void lines.push(line) } };
}

test.each<[string, object]>([
  ['a property with the name of a secret', { token: 's3cret' }],
  ['what lies in an object', { request: { headers: { authorization: 's3cret' } } }],
  ['the bytes of a key', { key: Buffer.from('s3cret') }],
  ['keys in a list', { keys: [Buffer.from('s3cret')] }],
  ['an error under another name', { error: Object.assign(new Error(), { args: 's3cret' }) }],
  ['something else that was thrown', { err: { keys: [Buffer.from('s3cret')] } }],
])('[T18] %s is not logged', (_, fields) => {
  const { lines, stream } = collect();
  createLogger({ verbose: true, stream }).info(
    { ...fields, webId: 'https://anna.example' },
    'asked',
  );
  const asNumbers = JSON.stringify([...Buffer.from('s3cret')]).slice(1, -1);
  expect(lines.join('')).not.toContain('s3cret');
  expect(lines.join('')).not.toContain(asNumbers);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ webId: 'https://anna.example', msg: 'asked' });
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

test('[T18] a logged error carries nothing else, such as the command that a library sent', () => {
  const { lines, stream } = collect();
  const error = Object.assign(new Error('WRONGPASS'), { command: { args: ['user', 's3cret'] } });
  createLogger({ verbose: false, stream }).error({ err: error }, 'refused');
  expect(lines[0]).toContain('WRONGPASS');
  expect(lines[0]).not.toContain('s3cret');
});

const time = '2026-08-19T09:15:00.123+00:00';

test('a line begins with what somebody looks for; what belongs to it is below', () => {
  const entry = { level: 40, time, code: 'ENOSPC', msg: 'could not write' };
  expect(stripVTControlCharacters(terminalLine(JSON.stringify(entry)))).toMatch(
    /^\[\d\d:\d\d:00\] WARN: could not write\n\{ code: 'ENOSPC' \}\n$/,
  );
  const bare = { level: 30, time, msg: 'ready' };
  expect(stripVTControlCharacters(terminalLine(JSON.stringify(bare)))).toMatch(/ready\n$/);
});

test('[T19] text of a stranger can neither control the terminal nor begin a line of its own', () => {
  const words = 'no\u001b[2J\u009b1A\r\n[09:15:00] INFO: all is well\u202e';
  const err = { message: words, stack: `Error: ${words}\n    at place` };
  const entry = { level: 50, time, msg: words, url: [words], err };
  const shown = stripVTControlCharacters(terminalLine(JSON.stringify(entry)));
  expect(shown).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  expect(shown.match(/^\[/gm)).toHaveLength(1);
  expect(terminalLine(JSON.stringify(entry))).not.toContain('\u001b[2J');
});
