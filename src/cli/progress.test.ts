import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endLine } from '../base/open-line.js';
import { countSeconds, createProgress } from './progress.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function createOutput(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  return { written, output: { isTTY, write } };
}

test('on a terminal one line counts up, with the seconds', () => {
  const { written, output } = createOutput(true);
  const show = createProgress('Sharing', output);
  show(0, 50);
  vi.advanceTimersByTime(3_200);
  show(25, 50);
  show(50, 50);
  expect(written).toEqual([
    '\r\u001b[KSharing: 0 of 50',
    '\r\u001b[KSharing: 25 of 50 (3 s)',
    '\r\u001b[KSharing: 50 of 50 (3 s)',
    '\n',
  ]);
});

test('whoever writes beside a line that counts up ends it first, once', () => {
  const { written, output } = createOutput(true);
  createProgress('Sharing', output)(25, 50);
  endLine(output);
  endLine(output);
  expect(written).toEqual(['\r\u001b[KSharing: 25 of 50', '\n']);
});

test('what is waited for counts its seconds, and stops when it has come', () => {
  const { written, output } = createOutput(true);
  const ended = countSeconds('Analysing', output);
  vi.advanceTimersByTime(2_000);
  ended();
  vi.advanceTimersByTime(5_000);
  expect(written).toEqual([
    '\r\u001b[KAnalysing',
    '\r\u001b[KAnalysing (1 s)',
    '\r\u001b[KAnalysing (2 s)',
    '\r\u001b[K',
  ]);
});

test('elsewhere there is a plain line now and then, without seconds', () => {
  const { written, output } = createOutput(false);
  const show = createProgress('Pods read', output);
  for (let done = 0; done <= 100; done += 1) show(done, 100);
  countSeconds('Analysing', output)();
  expect(written).toHaveLength(11);
  expect(written.at(-1)).toBe('Pods read: 100 of 100\n');
});
