import { markPath } from '../../src/chart/layout/marks.js';
import type { MeasureInfo } from '../format/measures.js';

/** Tells a measure by shape as well as by colour, both as in the drawn charts. */
export function Swatch({ measure }: { measure: MeasureInfo['name'] }) {
  return (
    <svg class={`swatch ${measure}`} viewBox="0 0 12 12" aria-hidden="true">
      <path d={markPath(measure, 6, 6, 12)} />
    </svg>
  );
}
