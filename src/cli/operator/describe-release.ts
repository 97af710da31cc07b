import { measureNames } from '../../analysis/reading.js';
import type { ReleaseRules } from '../../analysis/release/decide-release.js';
import { budgetUsedUpUntil, type NoiseRules } from '../../analysis/release/noise.js';
import { countOf } from '../../base/sentences.js';
import { formatUtc } from '../../base/utc-time.js';
import type { FoundMemory } from '../../memory/stored-memory.js';

/** Describes how figures are released, what the state is, and what was last sent out. */
export function describeRelease(
  /** Null for exact figures. */
  rules: ReleaseRules | null,
  { memory: { withheld, releases: record }, version }: FoundMemory,
  now: Date,
): { summary: string; lines: string[] } {
  const how =
    rules === null
      ? 'callers are sent the exact figures, unless sharing.cohort_release says otherwise'
      : rules.mechanism === 'steps'
        ? `steps of ${countOf(rules.changedPods, 'changed Pod')}`
        : `noise (epsilon ${rules.epsilon}), every ${countOf(rules.everyDays, 'day')}`;
  if (withheld !== null) return { summary: `${how}; withheld: ${withheld}`, lines: [] };
  if (rules === null) return { summary: how, lines: [`memory version: ${version}`] };
  if (rules.mechanism === 'noise') {
    const last = record.noise.at(-1);
    return {
      summary: how,
      lines: [
        `last release: ${last === undefined ? 'none yet' : timeOf(last.releasedAt)}`,
        describeBudget(rules, budgetUsedUpUntil(record.noise, now.getTime(), rules)),
        `memory version: ${version}`,
      ],
    };
  }
  const figures = measureNames.map((name) => {
    const last = record.steps[name].at(-1);
    const since =
      last === undefined
        ? 'none yet'
        : `of ${timeOf(last.releasedAt)}, compared with ${record.steps[name].length - 1} before it`;
    return `${name}: ${since}`;
  });
  return { summary: how, lines: [...figures, `memory version: ${version}`] };
}

function describeBudget({ budget, perDays }: NoiseRules, until: number | null): string {
  const period = `budget of ${budget} in ${countOf(perDays, 'day')}`;
  return until === null ? `${period}: not used up` : `${period}: used up until ${timeOf(until)}`;
}

function timeOf(milliseconds: number): string {
  return formatUtc(new Date(milliseconds));
}
