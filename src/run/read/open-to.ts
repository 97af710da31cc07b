import type { OpenTo } from '../../memory/fate.js';
import { allowedModes } from '../../pod/public-access.js';

/** By the WAC-Allow header of an answer. */
export function openTo(allowed: string | undefined): OpenTo {
  const everybody = allowedModes(allowed, 'public');
  if (everybody === null) return 'unknown';
  return everybody.has('read') ? 'everybody' : 'some';
}
