import { describe, expect, test } from 'vitest';
import {
  countOf,
  formatAverage,
  formatBytes,
  formatCount,
  formatReading,
} from './format-number.js';

describe('numbers on the page', () => {
  test.each([
    [121.44444, '121.4'],
    [121, '121.0'],
    [0, '0.0'],
    [119.95, '120.0'],
    // Stored as a little less.
    [121.35, '121.3'],
    [null, '–'],
  ])('the average %s reads %s', (value, text) => {
    expect(formatAverage(value)).toBe(text);
  });

  test.each([
    [118, '118'],
    [118.26, '118.3'],
    [null, '–'],
  ])('the reading %s reads %s', (value, text) => {
    expect(formatReading(value)).toBe(text);
  });

  test('counts are whole, grouped by thousands and in the right number', () => {
    expect(formatCount(12345)).toBe('12,345');
    expect(countOf(1, 'Pod')).toBe('1 Pod');
    expect(countOf(0, 'Pod')).toBe('0 Pods');
    expect(countOf(2, 'entry', 'entries')).toBe('2 entries');
  });

  test.each([
    [0, '0 kB'],
    [40_400, '40 kB'],
    [1_250_000, '1.3 MB'],
    [1_200_000_000, '1,200 MB'],
  ])('%d bytes read %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
