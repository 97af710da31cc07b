import { type MeasureName, measureNames } from '../reading.js';
import type { ReleaseRules } from './decide-release.js';
import type { ReleaseRecord } from './release-record.js';
import { isCompared, MOST_RECORDED_PODS, type StepRules } from './steps.js';

const NEARLY_FULL = 0.8;

/**
 * Warns if the record of a measure has no room for one more figure, or is nearly full with it. Without room, no new
 * figure of the measure is released, for up to per_days.
 */
export function recordWarnings(record: ReleaseRecord, now: number, rules: ReleaseRules): string[] {
  if (rules.mechanism !== 'steps') return [];
  const filled = measureNames.map((name) => ({ name, ...room(record, name, now, rules) }));
  const tight = filled.filter(({ afterNext }) => afterNext > NEARLY_FULL);
  if (tight.length === 0) return [];
  const shares = tight.map(({ name, used }) => `${name} ${Math.floor(used * 100)} %`).join(', ');
  const isFull = tight.some(({ afterNext }) => afterNext > 1);
  return [
    `The record of released cohort figures is ${isFull ? 'full' : 'nearly full'} (${shares}). A measure whose record is full keeps its last figure until the oldest ones are no longer compared with new ones: raise changed_pods, so that figures are replaced less often, or lower per_days.`,
  ];
}

/** How full the record is, as a fraction: now, and after one more figure with as many Pods as the last one. */
function room(record: ReleaseRecord, name: MeasureName, now: number, rules: StepRules) {
  const kept = record.steps[name].filter((figure) => isCompared(figure, now, rules));
  const entries = kept.reduce((sum, { pods }) => sum + pods.size, 0);
  const next = kept.at(-1)?.pods.size ?? 0;
  return { used: entries / MOST_RECORDED_PODS, afterNext: (entries + next) / MOST_RECORDED_PODS };
}
