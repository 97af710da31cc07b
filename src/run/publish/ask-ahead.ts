import type { Config } from '../../config/schema.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import type { Connection } from '../connection.js';
import { type DocumentKeys, findDocumentKeys } from './document-keys.js';
import { askOwnRules, type RulesOf } from './own-rules.js';
import { publishedAddresses, type Recipient } from './recipient-documents.js';

/** What publishing has to know, asked for while the charts are drawn. */
export interface AskedAhead {
  /** Null where nothing is published. */
  keys: DocumentKeys | null;
  rulesOf: RulesOf;
}

/**
 * Asks for the keys of all documents, and for the access rules of the `first` ones, whose charts are drawn ahead too.
 * The rules of a later document are asked for when the document is written.
 */
export async function askAhead(
  { sharing }: Config,
  connection: Connection,
  before: FoundMemory,
  { recipients, first }: { recipients: readonly Recipient[]; first: readonly Recipient[] },
  signal: AbortSignal,
): Promise<AskedAhead> {
  const { client, pod } = connection;
  const addresses = (some: readonly Recipient[]) =>
    sharing.enabled && some.length > 0
      ? publishedAddresses(
          { sharing, analyser: pod },
          some.map(({ podId }) => podId),
        )
      : [];
  const rulesOf = askOwnRules(client, pod.hasAccessLists ? addresses(first) : [], signal);
  const urls = addresses(recipients);
  // Asked even if results are not encrypted: readers hold keys of earlier documents, and the memory has to keep these.
  const keys = urls.length === 0 ? null : await findDocumentKeys(connection, before, urls, signal);
  return { keys, rulesOf };
}
