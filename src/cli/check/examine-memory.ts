import { countOf } from '../../base/sentences.js';
import { formatDay } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import { withheldWarning } from '../../documents/withheld.js';
import type { RememberedPod } from '../../memory/memory.js';
import { DAYS_OF_PATIENCE } from '../../memory/settle.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { webIdOfRoot } from '../../pod/addresses.js';
import { unknownCipher } from '../../pod/read-resource.js';
import { releaseRules } from '../../run/conclude/release-figures.js';
import { isUnkept } from '../../run/remember/keep-memory.js';
import type { ResultsStore } from '../../store/results-store.js';
import { describeRelease, noiseWarnings } from '../operator/describe-release.js';
import type { CheckReport } from './check-report.js';
import { type Finding, notice } from './judgements.js';

/** Reports the state of the memory: which shares are missing, and which cohort figures callers are sent. */
export async function examineMemory(
  config: Config,
  found: FoundMemory,
  { results, report }: { results: ResultsStore; report: CheckReport },
): Promise<Finding[]> {
  const { memory, version } = found;
  const pods = [...memory.pods.values()];
  const shares = pods.reduce((sum, pod) => sum + pod.shares.size, 0);
  const size = `${countOf(shares, 'share')} of ${countOf(pods.filter(hasShares).length, 'Pod')}`;
  report.value('memory', 'Memory', version === 0 ? 'none yet' : `${size}, version ${version}`);
  const missing = pods.flatMap((pod) => describeMissing(pod) ?? []);
  if (missing.length > 0) {
    report.list(
      'missing_shares',
      'Missing',
      missing,
      ({ web_id, shares: count, days, figures_of }) =>
        `${web_id}  ${countOf(count, 'share')}, ${countOf(days, 'day')} of ${DAYS_OF_PATIENCE}; ${figures_of === null ? 'does not count until all was read' : `counts with figures of ${figures_of}`}`,
    );
  }
  const rules = releaseRules(config);
  const { withheld } = memory;
  if (rules !== null || withheld !== null) {
    const { summary, lines } = describeRelease(config, found, new Date());
    const shown = [summary, ...lines].join('; ');
    report.value('cohort_release', 'Cohort release', shown, withheld === null ? 'good' : 'bad');
  }
  return [
    ...(withheld === null ? [] : [withheldWarning(withheld)]),
    ...(await noiseWarnings(config)),
    ...(await aboutLatestRun(results)),
    ...(config.data.excluded_pods.length === 0 ? [] : [excluded]),
  ].flatMap(notice);
}

const excluded =
  'data.excluded_pods leaves out Pods: unless sharing.cohort_release is set, an earlier caller can work out the average of a single Pod from the difference.';

/**
 * Repeats warnings of the latest run that the check cannot find by itself, because it writes no memory and opens no
 * shared file.
 */
async function aboutLatestRun(results: ResultsStore): Promise<string[]> {
  const latest = await results.readLatest();
  if (latest.state !== 'found') return [];
  const { warnings, run_id } = latest.document;
  return warnings
    .filter((warning) => isUnkept(warning) || warning.includes(unknownCipher))
    .map((warning) => `Run ${run_id}: ${warning}`);
}

function hasShares({ shares }: RememberedPod): boolean {
  return shares.size > 0;
}

/** Null for a Pod without missing shares. */
function describeMissing({ root, shares, figures }: RememberedPod) {
  const missing = [...shares.values()].filter(({ missingOn }) => missingOn.length > 0);
  if (missing.length === 0) return null;
  return {
    web_id: webIdOfRoot(root),
    shares: missing.length,
    days: Math.max(...missing.map(({ missingOn }) => missingOn.length)),
    figures_of: figures === null ? null : formatDay(figures.day),
  };
}
