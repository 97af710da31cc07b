import type { Config } from '../../config/schema.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { publishedAddress } from '../../pod/addresses.js';
import type { Connection } from '../../run/connection.js';
import { describeLost, findDocumentKeys } from '../../run/publish/document-keys.js';
import { publishedAddresses } from '../../run/publish/recipient-documents.js';
import { listContainer } from '../../solid/documents/container.js';
import { type Finding, notice } from './judgements.js';

/** Whether ind-keys.ttl holds the keys of all published documents, so that the app can open them. */
export async function examineKeys(
  connection: Connection,
  { sharing }: Config,
  found: FoundMemory,
): Promise<Finding[]> {
  if (!sharing.enabled || !sharing.encrypt_results) return [];
  const { client, pod } = connection;
  const folder = publishedAddress(pod.documents, sharing.results_dir, '', '').replace(/\/$/, '');
  const members = (await listContainer(client, folder)) ?? [];
  const podIds = members
    // In its listings, the Community Solid Server encodes the colon before a port twice.
    .flatMap((url) => /([^/]+)\/$/.exec(url.replace(/%(?:25)*3A/g, ':'))?.[1] ?? [])
    .filter((name) => name !== 'cohort');
  const urls = publishedAddresses({ sharing, analyser: pod }, podIds);
  const { lost } = await findDocumentKeys(connection, found, urls);
  if (lost === 0) return [];
  return notice(
    `${describeLost(lost, pod.documents)}: the next analysis of each reader puts them back; until then the app cannot open them in the Analyser's own Pod, while their readers can.`,
  );
}
