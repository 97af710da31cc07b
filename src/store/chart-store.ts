import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { listFolder, writeFileAtomically } from './atomic-file.js';
import { withFile } from './stored-file.js';

export interface StoredChart {
  png: Buffer;
  modified: Date;
}

export interface ChartStore {
  /** Answers the file name, as it belongs into `charts.pods` of the results document. */
  write(podId: string, png: Uint8Array): Promise<string>;
  /** Null when no chart of that Pod is there. */
  read(podId: string): Promise<StoredChart | null>;
}

export function openChartStore(chartsDir: string): ChartStore {
  return {
    async write(podId, png) {
      const name = chartFileName(podId);
      await writeFileAtomically(join(chartsDir, name), png);
      return name;
    },
    async read(podId) {
      const wanted = chartFileName(podId);
      // The file name comes from the listing, never from the caller.
      const known = (await listFolder(chartsDir)).find((name) => name === wanted);
      if (known === undefined) return null;
      return withFile(join(chartsDir, known), async (file) => ({
        png: await file.read(),
        modified: file.modified,
      }));
    },
  };
}

/**
 * `<pod_id>.png`, a port's colon included. A pod_id that could leave the folder, hide in it
 * or not fit into a file name is replaced by its digest.
 */
export function chartFileName(podId: string): string {
  const harmless = /^[A-Za-z0-9_~%!$&'()*+,;=:@-][A-Za-z0-9._~%!$&'()*+,;=:@-]{0,199}$/;
  if (harmless.test(podId)) return `${podId}.png`;
  return `${createHash('sha256').update(podId).digest('hex')}.png`;
}
