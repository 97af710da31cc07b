import type { Config } from '../../config/schema.js';
import type { Rule } from '../../pod/access-control.js';
import { canonicalResource } from '../../pod/addresses.js';
import { openTo } from '../../pod/answer-headers.js';
import { vocabulary as v } from '../../pod/formats/vocabulary.js';
import { releaseRules } from '../../run/conclude/release-figures.js';
import type { SolidAnswer } from '../../solid/solid-client.js';

export type Fact = [key: string, label: string, value: string];

const repair = 'Log in to the Analyser Pod with the app and set it again, or change its .acl';

export function judgePublicKey(
  url: string,
  { status, headers }: Pick<SolidAnswer, 'status' | 'headers'>,
): string[] {
  if (status === 200 && openTo(headers['wac-allow']) !== 'some') return [];
  const what = status === 200 ? 'is not publicly readable' : `is not there (HTTP ${status})`;
  return [
    `${url} ${what}, so nobody can share with the Analyser. ${repair} so that everybody (foaf:Agent) may read.`,
  ];
}

/** `rules` are the rules in the folder's own .acl; null when the folder inherits its rules. */
export function judgeInbox(folder: string, rules: readonly Rule[] | null): string[] {
  const wanted = canonicalResource(folder);
  const isOpen = (key: 'accessTo' | 'default') =>
    rules?.some(
      (rule) =>
        rule.classes.includes(v.everyone) &&
        rule.modes.includes(v.write) &&
        rule[key].some((target) => canonicalResource(target) === wanted),
    ) === true;
  if (isOpen('accessTo') && isOpen('default')) return [];
  return [
    `${folder} is not publicly writable, so no Pod can hand over a key. ${repair} so that everybody (foaf:Agent) may read and write the folder and what is in it.`,
  ];
}

/** How much people's systolic averages differ, as a standard deviation: docs/cohort-release.md. */
const BETWEEN_PEOPLE = 15;

/** A warning where the noise of released figures is larger than what they could tell, for this number of Pods. */
export function judgeNoise(config: Pick<Config, 'sharing'>, pods: number): string[] {
  const rules = releaseRules(config);
  if (rules === null || pods < 2) return [];
  const [low, high] = rules.bounds.systolic;
  const deviation = (Math.SQRT2 * (high - low)) / (rules.epsilon * pods);
  if (deviation <= BETWEEN_PEOPLE) return [];
  return [
    `sharing.cohort_release: with ${pods} Pods the noise of a systolic figure has a standard deviation of ${Math.round(deviation)} mm Hg, and people differ by ${BETWEEN_PEOPLE}. So the figures that callers are sent say nothing: set share_cohort_average: false, or see the table in docs/cohort-release.md.`,
  ];
}

/** A fact, where a caller can work out the average of the only other person. */
export function describeExact({ sharing }: Pick<Config, 'sharing'>): Fact[] {
  const { enabled, share_cohort_average, cohort_release, minimum_cohort_pods: fewest } = sharing;
  if (!enabled || !share_cohort_average || cohort_release !== null || fewest > 2) return [];
  const told = 'exact, also of two Pods: each can then work out the average of the other';
  return [['cohort_averages', 'Cohort averages', `${told} (sharing.minimum_cohort_pods)`]];
}

/** A fact, where items of data.excluded_pods leave nobody out: a withdrawal, or a slip. */
export function describeIdle(idle: readonly string[]): Fact[] {
  if (idle.length === 0) return [];
  return [['not_shared', 'Nothing shared from', `${idle.join(', ')} (data.excluded_pods)`]];
}
