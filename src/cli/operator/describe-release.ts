import { fewestUsefulPods } from '../../analysis/release/expected-noise.js';
import { budgetUsedUpUntil, type NoiseRules } from '../../analysis/release/noise.js';
import { countOf } from '../../base/sentences.js';
import { formatUtc } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { releaseRules } from '../../run/conclude/release-figures.js';
import { openResultsStore } from '../../store/results-store.js';

/** Describes how cohort figures are released, whether they are withheld, and when the last ones were sent out. */
export function describeRelease(
  { sharing }: Pick<Config, 'sharing'>,
  { memory: { withheld, releases }, version }: Pick<FoundMemory, 'memory' | 'version'>,
  now: Date,
): { summary: string; lines: string[] } {
  const rules = releaseRules({ sharing });
  const how =
    rules === null
      ? whatIsSent(sharing)
      : `noise (epsilon ${rules.epsilon}), every ${countOf(rules.everyDays, 'day')}`;
  if (withheld !== null) return { summary: `${how}; withheld: ${withheld}`, lines: [] };
  if (rules === null) return { summary: how, lines: [`memory version: ${version}`] };
  const last = releases.at(-1);
  return {
    summary: how,
    lines: [
      `last release: ${last === undefined ? 'none yet' : timeOf(last.releasedAt)}`,
      describeBudget(rules, budgetUsedUpUntil(releases, now.getTime(), rules)),
      `memory version: ${version}`,
    ],
  };
}

/** The cohort figures that callers are sent if no release is configured. */
function whatIsSent({ enabled, share_cohort_average }: Config['sharing']): string {
  if (!enabled) return 'callers are sent no figures (sharing.enabled is false)';
  return share_cohort_average
    ? 'callers are sent the exact figures (sharing.cohort_release is not set)'
    : 'callers are sent no figure of the cohort (sharing.share_cohort_average is false)';
}

function describeBudget({ budget, perDays }: NoiseRules, until: number | null): string {
  const period = `budget of ${budget} in ${countOf(perDays, 'day')}`;
  return until === null ? `${period}: not used up` : `${period}: used up until ${timeOf(until)}`;
}

function timeOf(milliseconds: number): string {
  return formatUtc(new Date(milliseconds));
}

/**
 * Warns if the noise is too large for the present cohort. Before the first analysis, it warns in any case, because the
 * size of the cohort is not known.
 */
export async function noiseWarnings(config: Pick<Config, 'sharing' | 'output'>): Promise<string[]> {
  const rules = releaseRules(config);
  if (rules === null) return [];
  const fewest = fewestUsefulPods(rules);
  const latest = await openResultsStore(config.output.results_dir).readLatest();
  const pods = latest.state === 'found' ? latest.document.cohort.included_pod_count : null;
  if (pods !== null && pods >= fewest) return [];
  return [
    `sharing.cohort_release.epsilon: with ${rules.epsilon}, cohort figures of fewer than ${fewest} Pods are mostly noise. Pods so far: ${pods ?? 'not known yet'}. For small cohorts set share_cohort_average: false instead.`,
  ];
}
