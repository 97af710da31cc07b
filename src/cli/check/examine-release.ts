import { recordWarnings } from '../../analysis/release/record-room.js';
import type { Config } from '../../config/schema.js';
import type { Connection } from '../../run/connection.js';
import { releaseRules, withheldWarning } from '../../run/release/cohort-release.js';
import { readKeptRelease, releasePlace } from '../../run/release/kept-release.js';
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
  const kept = await readKeptRelease(releasePlace(connection, config.output));
  const { summary, lines } = describeRelease(rules, kept, new Date());
  const shown = [summary, ...lines].join('; ');
  report.value('cohort_release', 'Cohort release', shown, kept.withheld === null ? 'good' : 'bad');
  const withheld = kept.withheld === null ? [] : [withheldWarning(kept.withheld)];
  const full = recordWarnings(kept.record, Date.now(), rules);
  return [...withheld, ...full, ...(await noiseWarnings(config))].flatMap(notice);
}
