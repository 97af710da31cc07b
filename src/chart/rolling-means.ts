import type { MeasureName } from '../analysis/reading.js';
import type { MeanPoint, ReadingPoint } from '../documents/chart-document.js';
import { bandPositions, type Point, rollingBand } from './rolling-band.js';

/** The rolling means of all measures side by side, between the ends of the axis. */
export function rollingMeans(
  points: readonly ReadingPoint[],
  min: number,
  max: number,
): MeanPoint[] {
  const meansOf = (name: MeasureName) => {
    const values = points.flatMap((point): Point[] => {
      const value = point[name];
      return value === null ? [] : [[point.at, value]];
    });
    const bands = rollingBand(values, min, max).flat();
    return new Map(bands.map(({ position, ...mean }) => [position, mean]));
  };
  const systolic = meansOf('systolic');
  const diastolic = meansOf('diastolic');
  const heartRate = meansOf('heart_rate');
  return bandPositions(min, max).map((at) => ({
    at,
    systolic: systolic.get(at) ?? null,
    diastolic: diastolic.get(at) ?? null,
    heart_rate: heartRate.get(at) ?? null,
  }));
}
