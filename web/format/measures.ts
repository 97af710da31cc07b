import type { Figures } from '../api/guards.js';

/** In the order in which every view shows them. */
export const measures = [
  { name: 'systolic', label: 'Systolic', unit: 'mm Hg' },
  { name: 'diastolic', label: 'Diastolic', unit: 'mm Hg' },
  { name: 'heart_rate', label: 'Heart rate', unit: 'bpm' },
] as const satisfies readonly { name: keyof Figures; label: string; unit: string }[];

export type MeasureInfo = (typeof measures)[number];
