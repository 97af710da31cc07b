import { type MeasureName, measureNames } from '../reading.js';
import type { NoiseRules } from './noise.js';

/**
 * How much people's averages differ: their standard deviation, rounded from surveys of adults. The noise is compared
 * with it.
 */
const spreadOfPeople: Readonly<Record<MeasureName, number>> = {
  systolic: 15,
  diastolic: 10,
  heart_rate: 10,
};

type Noise = Pick<NoiseRules, 'epsilon' | 'bounds'>;

/** The standard deviation of the noise on a figure that rests on this number of Pods, before clamping. */
export function noiseError({ epsilon, bounds }: Noise, name: MeasureName, pods: number): number {
  const [low, high] = bounds[name];
  const ratio = Math.exp(-epsilon / (10 * (high - low)));
  const ofTheSum = Math.sqrt(2 * ratio) / (1 - ratio);
  return ofTheSum / 10 / pods;
}

/**
 * The smallest number of Pods with which no figure has more noise than its error of sampling, which is the spread over
 * the square root of the Pods.
 */
export function fewestUsefulPods(rules: Noise): number {
  const needed = measureNames.map(
    (name) => (noiseError(rules, name, 1) / spreadOfPeople[name]) ** 2,
  );
  return Math.ceil(Math.max(...needed));
}
