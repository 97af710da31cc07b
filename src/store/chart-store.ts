import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ChartDocument, chartDocumentSchema } from '../documents/chart-document.js';
import { writeFileAtomically } from './atomic-file.js';
import { readDocument, type StoredDocument } from './stored-document.js';
import { type StoredFile, withFile } from './stored-file.js';

export type ChartStore = ReturnType<typeof openChartStore>;

export function openChartStore(folders: { charts_dir: string; state_dir: string }) {
  const pictureOf = (podId: string) => join(folders.charts_dir, chartFileName(podId));
  const figuresOf = (podId: string) =>
    join(figuresFolder(folders.state_dir), figuresFileName(podId));
  return {
    /**
     * Writes the picture and the figures that it draws; returns the picture's file name, which
     * belongs into `charts.pods` of the results document.
     */
    async write(podId: string, png: Uint8Array, figures: ChartDocument): Promise<string> {
      await writeFileAtomically(figuresOf(podId), `${JSON.stringify(figures)}\n`);
      await writeFileAtomically(pictureOf(podId), png);
      return chartFileName(podId);
    },
    /** Null when no chart of that Pod is there. */
    read: (podId: string) =>
      withFile(pictureOf(podId), async (file) => ({
        png: await file.read(),
        modified: file.modified,
      })),
    async readFigures(podId: string): Promise<StoredDocument<ChartDocument>> {
      const read = (file: StoredFile) => readDocument(file, chartDocumentSchema);
      return (await withFile(figuresOf(podId), read)) ?? { state: 'absent' };
    },
  };
}

/**
 * `<pod_id>.png`, a port's colon included. A pod_id that could leave the folder, hide in it
 * or not fit into a file name is replaced by its digest.
 */
export function chartFileName(podId: string): string {
  return `${fileNameOf(podId)}.png`;
}

/** Not among the pictures: whoever lists their folder finds one file for each Pod that asked. */
export function figuresFolder(stateDir: string): string {
  return join(stateDir, 'charts');
}

export function figuresFileName(podId: string): string {
  return `${fileNameOf(podId)}.json`;
}

function fileNameOf(podId: string): string {
  const harmless = /^[A-Za-z0-9_~%!$&'()*+,;=:@-][A-Za-z0-9._~%!$&'()*+,;=:@-]{0,199}$/;
  return harmless.test(podId) ? podId : createHash('sha256').update(podId).digest('hex');
}
