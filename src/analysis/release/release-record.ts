import { figuresOf } from '../figures.js';
import type { MeasureName } from '../reading.js';
import type { Figures } from '../summary.js';

export interface StepFigure {
  value: number;
  /** Milliseconds since the epoch. */
  releasedAt: number;
  /** When the next one took its place; null: callers still receive it. */
  replacedAt: number | null;
  /** Each Pod behind it, by a keyed digest of its name, with one of its sum and count. */
  pods: ReadonlyMap<string, number>;
}

/** The figures of one release with noise, and what it spent. */
export interface NoiseRelease {
  releasedAt: number;
  epsilon: number;
  figures: Figures;
  /** How many Pods are behind each figure. */
  pods: Record<MeasureName, number>;
}

/** All that is known of what was sent out; oldest first. */
export interface ReleaseRecord {
  steps: Record<MeasureName, readonly StepFigure[]>;
  noise: readonly NoiseRelease[];
}

export function emptyRecord(): ReleaseRecord {
  return { steps: figuresOf(() => []), noise: [] };
}

export interface CountedPod {
  /** A keyed digest of its name. */
  pod: string;
  average: number;
  /** A keyed digest of its sum and count, of 32 bits. */
  digest: number;
}

export const dayInMilliseconds = 24 * 60 * 60 * 1000;
