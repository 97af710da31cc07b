import { measureNames } from '../../analysis/reading.js';
import { podsToChange } from '../../analysis/release/steps.js';
import { countOf } from '../../base/sentences.js';
import type { Config } from '../../config/schema.js';
import { digestsOf } from '../../memory/digests.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { digestOfRules } from '../../run/conclude/conclude.js';
import { countPods, releaseRules } from '../../run/conclude/release-figures.js';

/**
 * One line for each measure: how many more Pods have to change before a new figure is released, judged by the figures
 * in the memory. Empty unless figures are released by steps, and empty while they are withheld.
 */
export function describePodsToChange(
  config: Config,
  found: Pick<FoundMemory, 'memory' | 'fingerprint'>,
  now: Date,
): string[] {
  const rules = releaseRules(config);
  const { memory } = found;
  if (rules?.mechanism !== 'steps' || memory.withheld !== null) return [];
  const ofRules = digestOfRules(config);
  const remembered = [...memory.pods].flatMap(([root, { figures }]) =>
    figures?.rules === ofRules ? [[root, figures] as const] : [],
  );
  const counted = countPods(
    new Map(remembered),
    config.analysis.minimum_observations,
    digestsOf(found),
  );
  return measureNames.map((name) => {
    const more = podsToChange(memory.releases.steps[name], counted[name], now.getTime(), rules);
    return `${name}: ${countOf(more, 'more Pod')} ${more === 1 ? 'has' : 'have'} to change before a new figure`;
  });
}
