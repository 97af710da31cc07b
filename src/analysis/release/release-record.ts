import { type Figures, figuresOf } from '../figures.js';
import type { MeasureName } from '../reading.js';

export interface StepFigure {
  value: number;
  /** Milliseconds since the epoch. */
  releasedAt: number;
  /** When the next figure took its place; null while callers still receive it. */
  replacedAt: number | null;
  /**
   * The Pods behind the figure, by a keyed digest of the Pod's name. The value is a keyed digest of the Pod's sum and
   * count.
   */
  pods: ReadonlyMap<string, number>;
}

/** The figures of one release with noise, and the epsilon that it spent. */
export interface NoiseRelease {
  releasedAt: number;
  epsilon: number;
  figures: Figures;
  /** The number of Pods behind each figure. */
  pods: Record<MeasureName, number>;
}

/** The figures that were sent out, oldest first. A new figure drops those whose `per_days` are over. */
export interface ReleaseRecord {
  steps: Record<MeasureName, readonly StepFigure[]>;
  noise: readonly NoiseRelease[];
}

export function emptyRecord(): ReleaseRecord {
  return { steps: figuresOf(() => []), noise: [] };
}

export interface CountedPod {
  /** A keyed digest of the Pod's name. */
  pod: string;
  average: number;
  /** A keyed digest, 32 bits long, of the Pod's sum and count. */
  digest: number;
}
