import { randomInt } from 'node:crypto';
import { chunksOf } from '../../base/lists.js';
import { getTurtle } from '../../solid/documents/get-turtle.js';
import type { Triple } from '../../solid/documents/turtle-document.js';
import { patchDocument } from '../../solid/documents/write-document.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { canonicalRoot, type PodDocuments } from '../addresses.js';
import { link, text, writeTurtle } from '../documents/write-turtle.js';
import { vocabulary as v } from '../vocabulary.js';

/** How many lines are changed at a time: the server goes through the whole log for each change. */
export const LINES_AT_ONCE = 1_000;

interface LoggedPod {
  webId: string;
  documents: PodDocuments;
}

interface LoggedChange {
  urls: readonly string[];
  action: 'grant' | 'revoke';
  time: Date;
}

/** Writes a grant, or its end, into the logs of the owner and of the recipient. */
export async function logForBoth(
  client: SolidClient,
  owner: LoggedPod,
  recipient: LoggedPod,
  change: LoggedChange,
): Promise<void> {
  const ends = { ownerWebId: owner.webId, recipientWebId: recipient.webId };
  await Promise.all(
    [owner, recipient].map((pod) => addToLog(client, pod, logStatements(ends, change))),
  );
}

/** Anybody may add to a permission log, and only its owner may read it. */
export async function addToLog(
  client: SolidClient,
  { documents }: Pick<LoggedPod, 'documents'>,
  lines: readonly Triple[],
): Promise<void> {
  await patchDocument(client, documents.permissionsLog, { insert: lines });
}

/** Removes lines from a log of our own; returns how many. */
export async function removeFromLog(
  client: SolidClient,
  { documents: { permissionsLog } }: Pick<LoggedPod, 'documents'>,
  isMeant: (line: string) => boolean,
): Promise<number> {
  const document = await getTurtle(client, permissionsLog);
  const lines = [...(document?.subjects() ?? [])].flatMap((subject) =>
    (document?.literals(subject, v.log) ?? [])
      .filter(isMeant)
      .map((line) => text(subject, v.log, line)),
  );
  for (const some of chunksOf(lines, LINES_AT_ONCE)) {
    await patchDocument(client, permissionsLog, { delete: some });
  }
  return lines.length;
}

/** Whether a line names the owner of the Pod as one of its parties. */
export function isLineAbout(root: string): (line: string) => boolean {
  return (line) => line.split(';').some((part) => canonicalRoot(part) === root);
}

/** A line for each resource. Call it once for each log, because the lines of each log need names of their own. */
export function logStatements(
  { ownerWebId, recipientWebId }: Pick<LogLine, 'ownerWebId' | 'recipientWebId'>,
  { urls, ...change }: LoggedChange,
): Triple[] {
  const start = randomInt(1_000_000);
  return urls.map((resourceUrl, index) => {
    const parties = { ownerWebId, granterWebId: ownerWebId, recipientWebId };
    const line = { ...change, ...parties, modes: ['read'], resourceUrl };
    return logStatement(line, String((start + index) % 1_000_000).padStart(6, '0'));
  });
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

/** `unique` tells lines of one millisecond apart, since we cannot read the log of others. */
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
