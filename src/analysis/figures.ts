import type { MeasureName } from './reading.js';
import type { Figures } from './summary.js';

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
