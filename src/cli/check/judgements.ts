import type { Rule } from '../../pod/documents/access-control-list.js';
import { canonicalResource } from '../../pod/resource-address.js';
import { vocabulary as v } from '../../pod/vocabulary.js';

/** A problem that there is now or will be later; the message says what to do. */
export interface Finding {
  /** Whether analyses or calls fail because of it. */
  stops: boolean;
  message: string;
}

export function stopping(message: string): Finding {
  return { stops: true, message };
}

export function notice(message: string): Finding {
  return { stops: false, message };
}

const repair = 'Log in to the Analyser Pod with the app and set it again, or change its .acl';

/** `status` is the status of a request without a login. */
export function judgePublicKey(url: string, status: number): Finding[] {
  if (status === 200) return [];
  return [
    stopping(
      `${url} is not publicly readable (HTTP ${status} instead of 200), so nobody can share with the Analyser. ${repair} so that everybody (foaf:Agent) may read.`,
    ),
  ];
}

/** `rules` are the rules in the folder's own .acl; null when the folder inherits its rules. */
export function judgeInbox(folder: string, rules: readonly Rule[] | null): Finding[] {
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
    stopping(
      `${folder} is not publicly writable, so no Pod can hand over a key. ${repair} so that everybody (foaf:Agent) may read and write the folder and what is in it.`,
    ),
  ];
}
