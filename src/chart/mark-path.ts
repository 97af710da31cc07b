import type { MeasureName } from '../analysis/reading.js';

/**
 * The shape of a measure, in a box as wide as `size`: measures are told apart by shape as well as by colour.
 */
export function markPath(measure: MeasureName, x: number, y: number, size: number): string {
  const unit = size / 12;
  const number = (value: number) => Number(value.toFixed(2));
  const long = (units: number) => number(units * unit);
  const start = (right: number, down: number) =>
    `M${number(x + right * unit)},${number(y + down * unit)}`;
  switch (measure) {
    case 'systolic': {
      const half = `a${long(5)},${long(5)} 0 1 1 `;
      return `${start(-5, 0)}${half}${long(10)},0${half}${long(-10)},0Z`;
    }
    case 'diastolic':
      return `${start(-4.4, -4.4)}h${long(8.8)}v${long(8.8)}h${long(-8.8)}Z`;
    case 'heart_rate':
      return `${start(0, -5)}l${long(5.4)},${long(9.6)}h${long(-10.8)}Z`;
  }
}
