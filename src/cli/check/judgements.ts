import type { Rule } from '../../pod/access-control.js';
import { canonicalResource } from '../../pod/addresses.js';
import { openTo } from '../../pod/answer-headers.js';
import { vocabulary as v } from '../../pod/formats/vocabulary.js';
import type { SolidAnswer } from '../../solid/solid-client.js';

/** Each gives the problems that there are, with what to do. */

const repair = 'Log in to the Analyser Pod with the app and set it again, or change its .acl';

/** `answer` is the answer to the Analyser itself. */
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
