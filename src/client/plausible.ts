import type { PlausibleLimits } from '../analysis/reading.js';

/**
 * What a service leaves out unless its operator sets other limits. An app cannot know these, so a value outside is only
 * asked about.
 */
export const usualLimits: PlausibleLimits = {
  systolic: [40, 300],
  diastolic: [20, 200],
  heart_rate: [20, 250],
};
