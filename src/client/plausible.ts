import type { PlausibleLimits } from '../analysis/reading.js';

/**
 * A service leaves out readings beyond these limits, unless its operator sets others. An app cannot know the limits
 * of its service, so it only asks about a value beyond the usual ones.
 */
export const usualLimits: PlausibleLimits = {
  systolic: [40, 300],
  diastolic: [20, 200],
  heart_rate: [20, 250],
};
