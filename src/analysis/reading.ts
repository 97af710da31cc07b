export const measureNames = ['systolic', 'diastolic', 'heart_rate'] as const;
export type MeasureName = (typeof measureNames)[number];

export const units: Readonly<Record<MeasureName, string>> = {
  systolic: 'mm Hg',
  diastolic: 'mm Hg',
  heart_rate: 'bpm',
};

export interface Reading {
  /** Milliseconds since the epoch; null when neither the reading nor its file name gives a time. */
  time: number | null;
  systolic: number;
  diastolic: number;
  heart_rate: number | null;
}
