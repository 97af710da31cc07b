import type { MeasureInfo } from '../format/measures.js';

const outlines: Record<MeasureInfo['name'], string> = {
  systolic: 'M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Z',
  diastolic: 'M6 .8 11.2 6 6 11.2.8 6Z',
  heart_rate: 'M1.8 1.8h8.4v8.4H1.8Z',
};

/** Tells a measure by shape as well as by colour. */
export function Swatch({ measure }: { measure: MeasureInfo['name'] }) {
  return (
    <svg class={`swatch ${measure}`} viewBox="0 0 12 12" aria-hidden="true">
      <path d={outlines[measure]} />
    </svg>
  );
}
