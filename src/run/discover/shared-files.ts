import type { AddressWithKeys } from '../../pod/inbox/open-shares.js';
import type { Owner } from '../../pod/pod-of-resource.js';

export interface SharedFile {
  url: string;
  /** Keys shared for this file itself, in the order to try them; anybody can add wrong ones. */
  keys: readonly Buffer[];
  /** The shared folder that lists it, whose key may open it; null for a file with only its own entry. */
  listedIn: string | null;
  /** False when no entry leads to it any more and only the ledger remembers it. */
  isAnnounced: boolean;
  /** Why the file does not count, if that is known before it is fetched. */
  problem: FileProblem | null;
}

export type FileProblem =
  /** The file lies in a shared folder where others than its owner can put files. */
  | 'writable folder'
  /**
   * The file lies below a shared folder, so it can be read; but the folder does not list it and it is
   * not encrypted, so nothing proves that it was shared.
   */
  | 'unlisted';

export interface SharedPod {
  owner: Owner;
  files: SharedFile[];
}

export interface UnlistedFolder {
  url: string;
  /** Of the Pod that it lies in. */
  root: string;
  /** With which the server refused a listing, if it did. */
  status: number | null;
  /** Its server gave no answer, so the folder may exist. */
  isUnanswered: boolean;
}

export interface Shares {
  pods: SharedPod[];
  /** Keys by shared folder, for the files in it. */
  folderKeys: ReadonlyMap<string, readonly Buffer[]>;
  /** Addresses of files and folders that have an entry of their own in the inbox. */
  announced: ReadonlySet<string>;
  /** Spellings of addresses, where one is not canonical. */
  spellings: ReadonlyMap<string, readonly AddressWithKeys[]>;
  /** All folders that could not be listed, for whatever reason. */
  unlistedFolders: UnlistedFolder[];
  /** Roots of Pods that were left out because another Pod has their pod_id. */
  displacedPods: string[];
  /** Addresses that are shared but are not data for the analysis. */
  notWanted: string[];
  warnings: string[];
}
