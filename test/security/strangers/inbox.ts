import { canonicalResource } from '../../../src/pod/addresses.js';
import { shareId } from '../../../src/pod/formats/shared-keys.js';
import { distinctKeys } from '../../../src/pod/inbox.js';
import { isInView, misspelledIn, type ShareRules } from '../../../src/run/table/classify-share.js';
import type { InboxOrReason } from '../../../src/run/table/gather-shares.js';

/** An entry of the inbox, opened. */
export interface Entry {
  /** The address as the entry writes it. */
  spelling: string;
  keys: readonly Buffer[];
}

/** By the id, which anybody can choose; those that the app computes are genuine. */
export type Inbox = Map<string, Entry>;

export function idOf(spelling: string, analyserWebId: string): string {
  return shareId(spelling, analyserWebId);
}

/** What readInbox makes of the entries: one share for each address, keys of genuine entries first. */
export function gatherEntries(
  inbox: Inbox,
  rules: ShareRules,
  analyserWebId: string,
): InboxOrReason {
  const objectionTo = misspelledIn(rules);
  const shares = new Map<string, { genuine: Buffer[]; others: Buffer[] }>();
  const notInView = new Set<string>();
  const warnings: string[] = [];
  for (const [id, { spelling, keys }] of inbox) {
    const url = canonicalResource(spelling);
    if (url === null || objectionTo(url, spelling) !== null) {
      warnings.push(`The entry ${id} was left out.`);
    } else if (isInView(url, rules)) {
      const share = shares.get(url) ?? { genuine: [], others: [] };
      shares.set(url, share);
      (idOf(spelling, analyserWebId) === id ? share.genuine : share.others).push(...keys);
    } else {
      notInView.add(url);
    }
  }
  return {
    shares: Array.from(shares, ([url, { genuine, others }]) => ({
      url,
      keys: distinctKeys([...genuine, ...others]),
      modes: [],
    })),
    notInView: [...notInView],
    warnings,
  };
}
