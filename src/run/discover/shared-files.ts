import type { AddressWithKeys } from '../../pod/inbox/open-shares.js';
import type { Owner } from '../../pod/pod-of-resource.js';

export interface SharedFile {
  url: string;
  /** Keys shared for this very file, in the order to try them; anybody can add wrong ones. */
  keys: readonly Buffer[];
  /** The shared folder that lists it, whose key may open it; null: known from its own entry alone. */
  listedIn: string | null;
  /** False: nothing in the inbox leads to it any more, it is only remembered. */
  isAnnounced: boolean;
  /** Why it does not count, when that is known before it is asked for. */
  problem: FileProblem | null;
}

export type FileProblem =
  /** It lies in a shared folder where others than its owner can put files. */
  | 'writable folder'
  /**
   * It lies below a shared folder, so it can be read; but the folder does not list it, and it is not
   * encrypted, so nothing proves that it was shared.
   */
  | 'unlisted';

export interface SharedPod {
  owner: Owner;
  files: SharedFile[];
}

export interface Shares {
  pods: SharedPod[];
  /** Keys of shared folders, for files that use them. */
  folderKeys: ReadonlyMap<string, readonly Buffer[]>;
  /** Addresses of files and folders that have an entry of their own in the inbox. */
  announced: ReadonlySet<string>;
  /** How the addresses are written, where that is not always the canonical way. */
  spellings: ReadonlyMap<string, readonly AddressWithKeys[]>;
  /** Folders that the server did not list. */
  refusedFolders: { url: string; status: number }[];
  /** Folders that could not be listed, for whatever reason. */
  unlistedFolders: string[];
  /** Roots of Pods of which a folder could not be listed for want of an answer. */
  silentPods: string[];
  /** Roots of Pods that were left out, because another has their pod_id. */
  displacedPods: string[];
  /** Addresses that were shared but are not what the analysis is for. */
  notWanted: string[];
  warnings: string[];
}
