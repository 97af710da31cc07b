import type { MeasureInfo } from '../format/measures.js';

export const outlines: Record<MeasureInfo['name'], string> = {
  systolic: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1Z',
  diastolic: 'M1.6 1.6h8.8v8.8H1.6Z',
  heart_rate: 'M6 1 11.4 10.6H.6Z',
};

/** Tells a measure by shape as well as by colour, both as in the drawn charts. */
export function Swatch({ measure }: { measure: MeasureInfo['name'] }) {
  return (
    <svg class={`swatch ${measure}`} viewBox="0 0 12 12" aria-hidden="true">
      <path d={outlines[measure]} />
    </svg>
  );
}
