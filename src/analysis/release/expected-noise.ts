import { type MeasureName, measureNames } from '../reading.js';
import type { NoiseRules } from './noise.js';

/**
 * How far the averages of single people usually lie from their mean, as a standard deviation:
 * round numbers of adults in surveys, to compare the noise with.
 */
const spreadOfPeople: Readonly<Record<MeasureName, number>> = {
  systolic: 15,
  diastolic: 10,
  heart_rate: 10,
};

type Noise = Pick<NoiseRules, 'epsilon' | 'bounds'>;

/** The standard deviation that the noise gives to a figure of so many Pods, before it is clamped. */
export function noiseError({ epsilon, bounds }: Noise, name: MeasureName, pods: number): number {
  const [low, high] = bounds[name];
  const ratio = Math.exp(-epsilon / (10 * (high - low)));
  const ofTheSum = Math.sqrt(2 * ratio) / (1 - ratio);
  return ofTheSum / 10 / pods;
}

/** How far the average of so many people lies from that of everybody like them. */
export function samplingError(name: MeasureName, pods: number): number {
  return spreadOfPeople[name] / Math.sqrt(pods);
}

/** From so many Pods on, no figure has more noise than sampling error. */
export function fewestUsefulPods(rules: Noise): number {
  const needed = measureNames.map(
    (name) => (noiseError(rules, name, 1) / spreadOfPeople[name]) ** 2,
  );
  return Math.ceil(Math.max(...needed));
}
