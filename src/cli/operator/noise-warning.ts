import { fewestUsefulPods } from '../../analysis/release/expected-noise.js';
import type { Config } from '../../config/schema.js';
import { releaseRules } from '../../run/conclude/release-figures.js';
import { openResultsStore } from '../../store/results-store.js';

/** Warns of noise too large for the present cohort; where there is none yet, names the size that it needs. */
export async function noiseWarnings(config: Pick<Config, 'sharing' | 'output'>): Promise<string[]> {
  const rules = releaseRules(config);
  if (rules?.mechanism !== 'noise') return [];
  const fewest = fewestUsefulPods(rules);
  const latest = await openResultsStore(config.output.results_dir).readLatest();
  const pods = latest.state === 'found' ? latest.document.cohort.included_pod_count : null;
  if (pods !== null && pods >= fewest) return [];
  return [
    `sharing.cohort_release.epsilon: with ${rules.epsilon}, cohort figures of fewer than ${fewest} Pods are mostly noise. Pods so far: ${pods ?? 'not known yet'}. For small cohorts set changed_pods instead.`,
  ];
}
