import { WarningList } from '../../base/warning-list.js';
import type { KeptShare } from '../../ledger/ledger-state.js';
import type { ShareLedger } from '../../ledger/share-ledger.js';
import type { AddressWithKeys } from '../../pod/inbox/open-shares.js';
import type { Inbox } from '../../pod/inbox/read-inbox.js';
import { classifyShare, type ShareRules } from './classify-share.js';

export type KnownShares = ReturnType<typeof knownShares>;

/**
 * The shares of the inbox together with those kept from earlier analyses, whose keys are tried
 * first, as they are known to fit. A key that has opened files of another Pod is left out, so that
 * nobody who copies a file and its sealed key into their own Pod sees it decrypted.
 */
export function knownShares(
  inbox: Pick<Inbox, 'entries'>,
  kept: readonly KeptShare[],
  ledger: Pick<ShareLedger, 'isForeign'>,
  rules: ShareRules,
) {
  /** Keys of each file or folder by its address, in the order to try them. */
  const shares = new Map<string, Buffer[]>();
  /** The addresses that have an entry in the inbox. */
  const announced = new Set<string>();
  /** Spellings of addresses, the kept one first; only where one is not canonical. */
  const spellings = new Map<string, readonly AddressWithKeys[]>();
  const warnings = new WarningList();
  for (const { url, keys, spellings: written } of inbox.entries) {
    const share = classifyShare(url, rules);
    if (share.kind !== 'data') continue;
    const { root } = share.owner;
    const own = keys.filter((key) => !ledger.isForeign(key, { url, root }));
    const isForeign = own.length < keys.length;
    if (isForeign) {
      warnings.add(
        'keys of other Pods',
        `${url}: a key that was handed over for it opens files of another Pod and is not used here. Somebody may have copied files of others into a Pod of their own.`,
      );
    }
    shares.set(url, isForeign ? own : keys);
    announced.add(url);
    if (written.length > 0) spellings.set(url, written);
  }
  for (const { url, spelling, key } of kept) {
    const share = classifyShare(url, rules);
    if (share.kind !== 'data') continue;
    const written = spellings.get(url) ?? [];
    if (written.length > 0 || spelling !== url) {
      const keptOne = { address: spelling, keys: key === null ? [] : [key] };
      // Old journals hold only the canonical spelling, which proves nothing about the owner's.
      spellings.set(url, spelling === url ? [...written, keptOne] : [keptOne, ...written]);
    }
    const keys = shares.get(url) ?? [];
    if (key === null || ledger.isForeign(key, { url, root: share.owner.root })) {
      shares.set(url, keys);
    } else {
      shares.set(url, [key, ...keys.filter((one) => !one.equals(key))]);
    }
  }
  return { shares, announced, spellings, warnings: warnings.list() };
}
