import type { MeasureName } from '../analysis/reading.js';

export const font = 'Inter';

export interface MeasureStyle {
  name: string;
  color: string;
  /** For text and reference lines. */
  dark: string;
  symbol: string;
}

/** The colours of Okabe and Ito, which colour-blind readers tell apart; the shapes differ too. */
export const measureStyles: Readonly<Record<MeasureName, MeasureStyle>> = {
  systolic: { name: 'Systolic', color: '#D55E00', dark: '#8F3F00', symbol: 'circle' },
  diastolic: { name: 'Diastolic', color: '#0072B2', dark: '#004A75', symbol: 'rect' },
  heart_rate: { name: 'Heart rate', color: '#009E73', dark: '#005C43', symbol: 'triangle' },
};

export const ink = { strong: '#1F2933', normal: '#52606D', grid: '#E4E7EB', axis: '#9AA5B1' };

export interface LineLook {
  /** 0: no points at all. */
  symbolSize: number;
  width: number;
}

/** The more readings, the finer: hundreds of points would hide the line. */
export function lineLook(readingCount: number): LineLook {
  if (readingCount <= 60) return { symbolSize: 12, width: 3 };
  if (readingCount <= 200) return { symbolSize: 8, width: 2.5 };
  return { symbolSize: 0, width: 2 };
}
