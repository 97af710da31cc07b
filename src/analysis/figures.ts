import type { MeasureName } from './reading.js';

/** One number for each measure; null where no reading has the measure. */
export type Figures = Record<MeasureName, number | null>;

export function figuresOf<T>(value: (name: MeasureName) => T): Record<MeasureName, T> {
  return {
    systolic: value('systolic'),
    diastolic: value('diastolic'),
    heart_rate: value('heart_rate'),
  };
}

export function averagesOf(measures: Record<MeasureName, { average: number | null }>): Figures {
  return figuresOf((name) => measures[name].average);
}
