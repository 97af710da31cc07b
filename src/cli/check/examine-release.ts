import { recordWarnings } from '../../analysis/release/record-room.js';
import type { Config } from '../../config/schema.js';
import type { Connection } from '../../run/connection.js';
import { howToConfirm, releaseRules } from '../../run/release/cohort-release.js';
import { readKeptRelease, releasePlace } from '../../run/release/kept-release.js';
import { openResultsStore } from '../../store/results-store.js';
import { describeRelease } from '../describe-release.js';
import { noiseWarnings } from '../noise-warning.js';
import { type Finding, notice } from './finding.js';
import type { CheckReport } from './report.js';

/** Reports which cohort figures callers are sent, unless those are the exact ones. */
export async function examineRelease(
  connection: Connection,
  config: Config,
  report: CheckReport,
): Promise<Finding[]> {
  const rules = releaseRules(config);
  if (rules === null) return [];
  const { state_dir, results_dir } = config.output;
  const place = releasePlace(connection, state_dir, openResultsStore(results_dir));
  const kept = await readKeptRelease(place);
  const { summary, lines } = describeRelease(rules, kept, new Date());
  const shown = [summary, ...lines].join('; ');
  report.value('cohort_release', 'Cohort release', shown, kept.withheld === null ? 'good' : 'bad');
  const withheld =
    kept.withheld === null
      ? []
      : [`Cohort figures are withheld: ${kept.withheld}. ${howToConfirm}`];
  const full = recordWarnings(kept.record, Date.now(), rules);
  return [...withheld, ...full, ...(await noiseWarnings(config))].map(notice);
}
