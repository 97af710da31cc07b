import type { Rule } from '../../pod/documents/access-control-list.js';
import { canonicalResource } from '../../pod/resource-address.js';
import { vocabulary as v } from '../../pod/vocabulary.js';
import { type Finding, stopping } from './finding.js';

const repair = 'Log in to the Analyser Pod with the app and set it again, or change its .acl';

/** `status` is what somebody without a login is answered. */
export function judgePublicKey(url: string, status: number): Finding[] {
  if (status === 200) return [];
  return [
    stopping(
      `${url} is not publicly readable (HTTP ${status} instead of 200), so nobody can share with the Analyser. ${repair} so that everybody (foaf:Agent) may read.`,
    ),
  ];
}

/** `rules` are those of the folder's own .acl; null when it has none and inherits. */
export function judgeInbox(folder: string, rules: readonly Rule[] | null): Finding[] {
  const place = canonicalResource(folder);
  const isOpen = (key: 'accessTo' | 'default') =>
    rules?.some(
      (rule) =>
        rule.classes.includes(v.everyone) &&
        rule.modes.includes(v.write) &&
        rule[key].some((target) => canonicalResource(target) === place),
    ) === true;
  if (isOpen('accessTo') && isOpen('default')) return [];
  return [
    stopping(
      `${folder} is not publicly writable, so no Pod can hand over a key. ${repair} so that everybody (foaf:Agent) may read and write the folder and what is in it.`,
    ),
  ];
}
