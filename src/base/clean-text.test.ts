import { expect, test } from 'vitest';
import { cleanLine, escapeControls } from './clean-text.js';

test.each([
  ['plain text, ü and 世界, stays', 'plain text, ü and 世界, stays'],
  ['red \u001b[31mand\u001b[0m gone', 'red and gone'],
  ['title\u001b]0;owned\u0007 gone', 'title gone'],
  ['one byte \u009b2J too', 'one byte  too'],
  ['two\r\nlines\u2028and\u0085more', 'two  lines and more'],
  ['left \u202eto right', 'left  to right'],
  ['turned \u2067around\u2069 and \u200fagain', 'turned  around  and  again'],
  ['half of one \u001b', 'half of one  '],
])('[T19] %j is printed as %j', (text, expected) => expect(cleanLine(text)).toBe(expected));

test('[T19] JSON keeps its layout and its values', () => {
  const value = { text: 'a\u001b[2J\u009b2J\u202e\n' };
  const json = escapeControls(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(json.split('\n')).toHaveLength(3);
  expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
});
