import { countOf } from '../../base/sentences.js';
import type { UnlockedPod } from '../../pod/unlock-pod.js';
import { getTurtle } from '../../solid/documents/get-turtle.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { type Finding, notice } from './finding.js';
import type { CheckReport } from './report.js';

const SIZE = 'http://www.w3.org/ns/posix/stat#size';
const MEGABYTE = 1024 * 1024;
/** Far above the entries of ten thousand readings. */
const LARGE_MB = 100;

/** How much lies directly in the folder that everybody may write to, where the server says so. */
export async function examineInboxSize(
  client: SolidClient,
  { documents: { sharedFolder } }: UnlockedPod,
  report: CheckReport,
): Promise<Finding[]> {
  const listing = await getTurtle(client, sharedFolder).catch(() => undefined);
  if (listing === undefined) return [];
  const sizes = [...listing.subjects()]
    .filter((subject) => subject !== sharedFolder && subject.startsWith(sharedFolder))
    .flatMap((subject) => listing.literals(subject, SIZE))
    .map(Number);
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE;
  const shown = `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB in ${countOf(sizes.length, 'file')}`;
  report.value('inbox_size', 'Inbox', shown, megabytes < LARGE_MB ? 'good' : 'careful');
  if (megabytes < LARGE_MB) return [];
  return notice(
    `${sharedFolder} holds ${shown}. Everybody may write there, and a full Pod takes no memory and no results: remove what is not shared-keys.ttl.`,
  );
}
