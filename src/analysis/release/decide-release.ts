import { type Figures, figuresOf } from '../figures.js';
import { type MeasureName, measureNames } from '../reading.js';
import type { RandomBytes } from './discrete-laplace.js';
import { figuresInForce, type NoiseRules, releaseNoise } from './noise.js';
import type { CountedPod, ReleaseRecord } from './release-record.js';
import { figureInForce, releaseStep, type StepRules } from './steps.js';

export type ReleaseRules =
  | ({ mechanism: 'steps' } & StepRules)
  | ({ mechanism: 'noise' } & NoiseRules);

export interface ReleaseInput {
  now: number;
  /** The exact cohort figures of this analysis: the averages of the Pods' averages. */
  averages: Figures;
  pods: Record<MeasureName, readonly CountedPod[]>;
  /** False if this analysis sends no figures; then the previous figures stay in force. */
  mayRelease: boolean;
  random?: RandomBytes | undefined;
}

export interface ReleaseDecision {
  /** Must be stored before a figure is sent; the same object as before if nothing has changed. */
  record: ReleaseRecord;
  figures: Figures;
  /** When each figure was first sent out; null for a measure without a figure. */
  releasedAt: Record<MeasureName, number | null>;
}

export function decideRelease(
  before: ReleaseRecord,
  input: ReleaseInput,
  rules: ReleaseRules,
): ReleaseDecision {
  const record = input.mayRelease ? makeRelease(before, input, rules) : before;
  if (rules.mechanism === 'noise') {
    const figures = figuresInForce(record.noise, rules);
    const at = record.noise.at(-1)?.releasedAt ?? null;
    return {
      record,
      figures,
      releasedAt: figuresOf((name) => (figures[name] === null ? null : at)),
    };
  }
  const inForce = figuresOf((name) =>
    figureInForce(record.steps[name], input.pods[name].length, rules),
  );
  return {
    record,
    figures: figuresOf((name) => inForce[name]?.value ?? null),
    releasedAt: figuresOf((name) => inForce[name]?.releasedAt ?? null),
  };
}

function makeRelease(
  record: ReleaseRecord,
  input: ReleaseInput,
  rules: ReleaseRules,
): ReleaseRecord {
  if (rules.mechanism === 'noise') {
    const noise = releaseNoise(record.noise, input, rules);
    return noise === record.noise ? record : { ...record, noise };
  }
  const { averages, pods, now } = input;
  const steps = figuresOf((name) =>
    releaseStep(record.steps[name], { value: averages[name], pods: pods[name], now }, rules),
  );
  const isSame = measureNames.every((name) => steps[name] === record.steps[name]);
  return isSame ? record : { ...record, steps };
}
