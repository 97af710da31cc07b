import { randomInt } from 'node:crypto';
import type { Triple } from '../../solid/documents/sparql-update.js';
import { patchDocument } from '../../solid/documents/write-document.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { PodDocuments } from '../addresses.js';
import { link, text, writeTurtle } from '../documents/write-turtle.js';
import { vocabulary as v } from '../vocabulary.js';

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

/** One line of logs/permissions-log.ttl. */
interface LogLine {
  time: Date;
  resourceUrl: string;
  ownerWebId: string;
  action: 'grant' | 'revoke';
  granterWebId: string;
  recipientWebId: string;
  modes: readonly string[];
}

export function buildEmptyLog(url: string): string {
  return writeTurtle([
    link(url, v.type, v.personalProfileDocument),
    text(url, v.title, 'Permissions Log'),
  ]);
}

/** `unique` tells lines of one millisecond apart, since the log of others cannot be read. */
export function logStatement(line: LogLine, unique: string): Triple {
  const id = `${localTime(line.time)}${String(line.time.getMilliseconds()).padStart(3, '0')}`;
  return text(`${v.logId}${id}${unique}`, v.log, formatLogLine(line));
}

/** The angle brackets are part of the literal. */
export function formatLogLine(line: LogLine): string {
  const modes = line.modes.map((mode) => mode.toLowerCase()).join(',');
  const { resourceUrl, ownerWebId, action, granterWebId, recipientWebId } = line;
  const time = localTime(line.time);
  return `<${[time, resourceUrl, ownerWebId, action, granterWebId, recipientWebId, modes].join(';')}>`;
}

/** yyyyMMddTHHmmss on the wall clock, as the app writes it. */
function localTime(time: Date): string {
  const digits = (value: number, width = 2) => String(value).padStart(width, '0');
  const date = `${digits(time.getFullYear(), 4)}${digits(time.getMonth() + 1)}${digits(time.getDate())}`;
  return `${date}T${digits(time.getHours())}${digits(time.getMinutes())}${digits(time.getSeconds())}`;
}
