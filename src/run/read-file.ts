import { type ParsedReadings, parseReadings } from '../analysis/parse-readings.js';
import type { Owner } from '../pod/pod-of-resource.js';
import { readResource } from '../pod/read-resource.js';
import type { SolidClient } from '../solid/solid-client.js';
import type { SharedFile, Shares } from './discover-shares.js';
import type { ServerPatience } from './server-patience.js';

/** `skipped` is the warning of the run. */
export type FileOutcome = { read: ParsedReadings } | { skipped: string };

export type FileReader = (
  file: SharedFile,
  owner: Owner,
  signal: AbortSignal,
) => Promise<FileOutcome>;

/** Step 4 for one file: whatever is wrong with it is its own warning, never the end of the run. */
export function createFileReader(
  client: SolidClient,
  { folderKeys }: Pick<Shares, 'folderKeys'>,
  patience: ServerPatience,
): FileReader {
  return async ({ url, keys }, { root }, signal) => {
    const fileName = url.slice(url.lastIndexOf('/') + 1);
    const validate = (text: string) => parseReadings(text, { fileName });
    if (patience.isGone(url))
      return { skipped: `${url}: its server gives no answers (file skipped)` };
    try {
      const outcome = await readResource(client, { url, root, keys, folderKeys, validate, signal });
      patience.answered(url);
      return 'read' in outcome ? outcome : { skipped: `${url}: ${outcome.skipped} (file skipped)` };
    } catch (error) {
      signal.throwIfAborted();
      const { message } = patience.endure(error, url);
      return { skipped: `${url}: the storage server gave no answer (file skipped): ${message}` };
    }
  };
}
