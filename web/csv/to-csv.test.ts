import { expect, test } from 'vitest';
import { toCsv } from './to-csv.js';

test('numbers keep every digit, and what is missing is empty', () => {
  expect(toCsv(['a', 'b', 'c'], [[121.44444444444444, null, true]])).toBe(
    'a,b,c\r\n121.44444444444444,,true\r\n',
  );
});

test('commas, quotes and line breaks stay in their cell', () => {
  expect(toCsv(['a'], [['x,"y"\nz']])).toBe('a\r\n"x,""y""\nz"\r\n');
});

test.each(['=1+1', '+1', '-1', '@x', '\tx'])('%j is text, not a formula', (text) => {
  expect(toCsv(['a'], [[text]])).toBe(`a\r\n'${text}\r\n`);
});

test('a negative number is a number', () => {
  expect(toCsv(['a'], [[-1.5]])).toBe('a\r\n-1.5\r\n');
});
