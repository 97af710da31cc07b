import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { terminalLine } from './terminal-line.js';

const time = '2026-08-19T09:15:00.123+00:00';

test('a line begins with what somebody looks for; what belongs to it is below', () => {
  const entry = { level: 40, time, code: 'ENOSPC', msg: 'could not write' };
  expect(stripVTControlCharacters(terminalLine(JSON.stringify(entry)))).toMatch(
    /^\[\d\d:\d\d:00\] WARN: could not write\n\{ code: 'ENOSPC' \}\n$/,
  );
  const bare = { level: 30, time, msg: 'ready' };
  expect(stripVTControlCharacters(terminalLine(JSON.stringify(bare)))).toMatch(/ready\n$/);
});

test('text of a stranger can neither control the terminal nor begin a line of its own', () => {
  const words = 'no\u001b[2J\u009b1A\r\n[09:15:00] INFO: all is well\u202e';
  const err = { message: words, stack: `Error: ${words}\n    at place` };
  const entry = { level: 50, time, msg: words, url: [words], err };
  const shown = stripVTControlCharacters(terminalLine(JSON.stringify(entry)));
  expect(shown).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  expect(shown.match(/^\[/gm)).toHaveLength(1);
  expect(terminalLine(JSON.stringify(entry))).not.toContain('\u001b[2J');
});
