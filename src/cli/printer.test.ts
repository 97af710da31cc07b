import { expect, test } from 'vitest';
import { createPrinter } from './printer.js';

test('[T19] what is printed controls no terminal, and only a text of our own has several lines', () => {
  const [out, err]: [string[], string[]] = [[], []];
  const printer = createPrinter({
    print: (text) => void out.push(text),
    printError: (text) => void err.push(text),
  });
  printer.print('a\u001b[31m\nb');
  printer.printText('a\u001b[2J\nb\u202e');
  printer.printJson({ a: '\u001b\u009b' });
  printer.printError('a\r\nb');
  expect(out).toEqual(['a b', 'a\nb ', '{\n  "a": "\\u001b\\u009b"\n}']);
  expect(err).toEqual(['a  b']);
});
