import type { MeasureName } from '../analysis/reading.js';

export const font = 'Inter';

/**
 * The colours of Okabe and Ito, which colour-blind readers tell apart; the shapes differ too. Text and
 * reference lines are dark.
 */
export const measureStyles = {
  systolic: { name: 'Systolic', color: '#D55E00', dark: '#8F3F00', symbol: 'circle' },
  diastolic: { name: 'Diastolic', color: '#0072B2', dark: '#004A75', symbol: 'rect' },
  heart_rate: { name: 'Heart rate', color: '#009E73', dark: '#005C43', symbol: 'triangle' },
} satisfies Record<MeasureName, object>;

export const ink = { strong: '#1F2933', normal: '#52606D', grid: '#E4E7EB', axis: '#9AA5B1' };

/** The more readings, the finer: hundreds of points would hide the line. */
export function lineLook(readingCount: number) {
  if (readingCount <= 60) return { symbolSize: 12, width: 3 };
  if (readingCount <= 200) return { symbolSize: 8, width: 2.5 };
  return { symbolSize: 0, width: 2 };
}
