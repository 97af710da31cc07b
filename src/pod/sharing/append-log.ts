import { randomInt } from 'node:crypto';
import { patchDocument } from '../../solid/documents/write-document.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { PodDocuments } from '../addresses.js';
import { logStatement } from '../documents/permissions-log.js';

interface LoggedPod {
  webId: string;
  documents: PodDocuments;
}

/**
 * Writes a grant, or its end, into the logs of the owner and of the recipient. Anybody may add to a
 * permission log, and only its owner may read it.
 */
export async function logForBoth(
  client: SolidClient,
  owner: LoggedPod,
  recipient: LoggedPod,
  { urls, ...change }: { urls: readonly string[]; action: 'grant' | 'revoke'; time: Date },
): Promise<void> {
  const lines = urls.map((resourceUrl) => ({
    ...change,
    modes: ['read'],
    resourceUrl,
    ownerWebId: owner.webId,
    granterWebId: owner.webId,
    recipientWebId: recipient.webId,
  }));
  await Promise.all(
    [owner, recipient].map(async ({ documents }) => {
      const start = randomInt(1_000_000);
      const insert = lines.map((line, index) =>
        logStatement(line, String((start + index) % 1_000_000).padStart(6, '0')),
      );
      await patchDocument(client, documents.permissionsLog, { insert });
    }),
  );
}
