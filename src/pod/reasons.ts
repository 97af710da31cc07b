/** What a reason says of the share of a file that was read before. */
export type ShareAfter =
  /** Its owner has taken it back: it is forgotten, and so are the earlier sums of its Pod. */
  | 'ended'
  /** Its owner has put something else in its place: it stays remembered, and nothing of it is missing. */
  | 'replaced'
  /** Without it, its Pod counts with its earlier sums, or not at all. */
  | 'missing'
  | 'missing because of others'
  /** It was not asked for, which says nothing of the share. */
  | 'not asked'
  /** It was never read, so it is not remembered and objects to nothing. */
  | 'never read';

interface Reason {
  share: ShareAfter;
  /**
   * Whether its owner is told in the reply, because they or the operator can do something about it. If a key opens the
   * file, most reasons would tell somebody who changed bytes of a copy which of the changed texts are readings
   * (docs/threat-model.md, "What a reply tells without proof").
   */
  owner: 'told' | 'told unless a key opens it' | 'told only how many';
  /** Whether the operator has a warning of its own for it. */
  operator: 'warned' | 'told only how many';
  /**
   * Whether the key that opens the file is claimed for its Pod all the same. Not if perhaps somebody else than the owner
   * gave it.
   */
  key?: 'claimed';
}

const told = { owner: 'told unless a key opens it', operator: 'warned' } as const;
const untold = { owner: 'told only how many', operator: 'warned' } as const;
const late = { owner: 'told only how many', operator: 'told only how many' } as const;

/** Why a shared file does not count, or a shared folder could not be listed, and what follows. */
const table = {
  /** It is shared by itself, and not named like a file of readings: it is not asked for. */
  'other name': { share: 'never read', ...told },
  /** 403, 404 or 410; for remembered files, twice, while the server gave what it gives to everybody. */
  refused: { share: 'ended', ...untold },
  /** Everybody may read it, and no entry names it. */
  published: { share: 'ended', ...untold },
  /** It opens and holds no reading. */
  'no reading': { share: 'replaced', ...untold },
  /** It is in plaintext, because its owner shares it with everybody. */
  plaintext: { share: 'replaced', ...told },
  /** People other than its owner may write to it. */
  writable: { share: 'replaced', ...told },
  /** It is not encrypted, and nothing shows that its owner shared it. */
  unproven: { share: 'replaced', ...told },
  'too large': { share: 'replaced', ...told },
  /** It is encrypted, and none of the given keys opens it. */
  'no key': { share: 'missing', ...untold },
  /** A page or a broken document in place of a file, or another cipher. */
  unreadable: { share: 'missing', ...told },
  /** It was refused, but perhaps its server refuses everything at the moment. */
  uncertain: { share: 'missing', ...untold },
  /** Any other answer. */
  'other answer': { share: 'missing', ...untold },
  /**
   * No answer to a request that was on the wire for its whole patience, or that failed. Where a Pod or a server gave no
   * answer to anything, also what was remembered of it and not sent any more. What is new is asked for twice.
   */
  silence: { share: 'missing', ...told },
  /** No key of its own opens it, and keys of other Pods were given for it; or the key of another file or folder opens it. */
  'foreign key': { share: 'missing because of others', ...told },
  /** The key that opens it opens files of another Pod as well, and nobody owned it before this analysis. */
  'copied key': { share: 'missing because of others', ...untold, key: 'claimed' },
  /** It was given, but there are too many keys in its Pod. */
  limit: { share: 'missing because of others', ...untold },
  /**
   * It was not sent, or cut before its patience was over, or too much of its Pod had been read before. Also a new one
   * whose Pod was given up.
   */
  'not asked': { share: 'not asked', ...late },
  /** It is new and was read, but there was no time for other new files of its Pod: they count together. */
  'not yet': { share: 'never read', ...late, key: 'claimed' },
  /** It is new and was read, but the memory has no room for all new files of its Pod: they count together. */
  'no room': { share: 'never read', ...late, owner: 'told', key: 'claimed' },
} as const satisfies Record<string, Reason>;

export type Because = keyof typeof table;

export const reasons: Readonly<Record<Because, Reason>> = table;
