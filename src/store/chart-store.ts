import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ChartDocument, chartDocumentSchema } from '../documents/chart-document.js';
import { listFolder, removeFile, writeFileAtomically } from './atomic-file.js';
import { readDocument, type StoredDocument } from './stored-document.js';
import { type StoredFile, withFile } from './stored-file.js';

export type ChartStore = ReturnType<typeof openChartStore>;

export function openChartStore(folders: { charts_dir: string; state_dir: string }) {
  const pictureOf = (podId: string) => join(folders.charts_dir, chartFileName(podId));
  const figuresPath = (stem: string) => join(figuresFolder(folders.state_dir), `${stem}.json`);
  const figuresOf = (podId: string) => figuresPath(chartStem(podId));
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
      withFile(pictureOf(podId), async (file) => {
        const png = await file.read();
        return isPicture(png) ? { png, modified: file.modified } : null;
      }),
    has: async (podId: string) => (await withFile(figuresOf(podId), () => true)) ?? false,
    /** The names, without the ending, of all files that look like charts. */
    async list(): Promise<string[]> {
      const names = await listFolder(figuresFolder(folders.state_dir));
      return names.flatMap((name) => /^([^.].*)\.json$/.exec(name)?.[1] ?? []);
    },
    /** In milliseconds since 1970; null when it is gone. */
    drawnAt: (stem: string) => withFile(figuresPath(stem), (file) => file.modified.getTime()),
    /** Removes both files, unless the file of the figures turns out to hold something else. */
    async remove(stem: string): Promise<void> {
      const figures = figuresPath(stem);
      const found = await withFile(figures, (file) => readDocument(file, chartDocumentSchema));
      if (found?.state !== 'found') return;
      // The figures last: without them nobody would know the picture again.
      await removeFile(join(folders.charts_dir, `${stem}.png`));
      await removeFile(figures);
    },
    async readFigures(podId: string): Promise<StoredDocument<ChartDocument>> {
      const read = (file: StoredFile) => readDocument(file, chartDocumentSchema);
      return (await withFile(figuresOf(podId), read)) ?? { state: 'absent' };
    },
  };
}

/** The signature of a PNG: anything else in its place is not ours to show. */
function isPicture(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
}

/**
 * `<pod_id>.png`, a port's colon included. A pod_id that could leave the folder, hide in it
 * or not fit into a file name is replaced by its digest.
 */
export function chartFileName(podId: string): string {
  return `${chartStem(podId)}.png`;
}

/** Not among the pictures: people who list the pictures' folder find one file for each Pod that asked. */
export function figuresFolder(stateDir: string): string {
  return join(stateDir, 'charts');
}

/** The name of both files without its ending. */
export function chartStem(podId: string): string {
  const harmless = /^[A-Za-z0-9_~%!$&'()*+,;=:@-][A-Za-z0-9._~%!$&'()*+,;=:@-]{0,199}$/;
  return harmless.test(podId) ? podId : createHash('sha256').update(podId).digest('hex');
}
