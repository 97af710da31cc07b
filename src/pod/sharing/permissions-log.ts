import { randomInt } from 'node:crypto';
import { chunksOf } from '../../base/lists.js';
import { getTurtle, patchDocument } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Triple } from '../../solid/turtle.js';
import { canonicalRoot, type PodDocuments } from '../addresses.js';
import { link, text, vocabulary as v, writeTurtle } from '../formats/vocabulary.js';

/** How many lines are changed at a time: the server goes through the whole log for each change. */
export const LINES_AT_ONCE = 1_000;

interface LoggedPod {
  webId: string;
  documents: PodDocuments;
}

interface LoggedChange {
  ownerWebId: string;
  recipientWebId: string;
  urls: readonly string[];
  action: 'grant' | 'revoke';
  time: Date;
}

export async function logForBoth(
  client: SolidClient,
  owner: LoggedPod,
  recipient: LoggedPod,
  what: Pick<LoggedChange, 'urls' | 'action' | 'time'>,
): Promise<void> {
  const change = { ...what, ownerWebId: owner.webId, recipientWebId: recipient.webId };
  await Promise.all([owner, recipient].map((pod) => addToLog(client, pod, logStatements(change))));
}

/** Anybody may add to a permission log, and only its owner may read it. */
export async function addToLog(
  client: SolidClient,
  { documents }: Pick<LoggedPod, 'documents'>,
  lines: readonly Triple[],
): Promise<void> {
  await patchDocument(client, documents.permissionsLog, { insert: lines });
}

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

export function isLineAbout(root: string): (line: string) => boolean {
  return (line) => line.split(';').some((part) => canonicalRoot(part) === root);
}

/** A line for each resource. Call it once for each log, because the lines of each log need names of their own. */
export function logStatements(change: LoggedChange): Triple[] {
  const { urls, time } = change;
  const moment = `${localTime(time)}${digits(time.getMilliseconds(), 3)}`;
  // Six more digits tell lines of one millisecond apart, since we cannot read the log of others.
  const start = randomInt(1_000_000);
  return urls.map((url, index) => {
    const name = `${v.logId}${moment}${digits((start + index) % 1_000_000, 6)}`;
    return text(name, v.log, logLine(url, change));
  });
}

/** The angle brackets are part of the literal. */
export function logLine(
  url: string,
  { ownerWebId, recipientWebId, action, time }: Omit<LoggedChange, 'urls'>,
): string {
  const granter = ownerWebId;
  return `<${[localTime(time), url, ownerWebId, action, granter, recipientWebId, 'read'].join(';')}>`;
}

export function buildEmptyLog(url: string): string {
  return writeTurtle([
    link(url, v.type, v.personalProfileDocument),
    text(url, v.title, 'Permissions Log'),
  ]);
}

/** yyyyMMddTHHmmss on the wall clock, as the app writes it. */
function localTime(time: Date): string {
  const date = [digits(time.getFullYear(), 4), digits(time.getMonth() + 1), digits(time.getDate())];
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()];
  return `${date.join('')}T${clock.map((value) => digits(value)).join('')}`;
}

function digits(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}
