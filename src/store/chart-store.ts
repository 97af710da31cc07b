import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ChartDocument, chartDocumentSchema } from '../documents/chart-document.js';
import { listFolder, removeFile, writeFileAtomically } from './atomic-file.js';
import { readDocument } from './stored-document.js';
import { withFile } from './stored-file.js';

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
    /** The picture of a Pod's chart; null if there is none. */
    read: (podId: string) =>
      withFile(pictureOf(podId), async (file) => {
        const png = await file.read();
        return isPicture(png) ? png : null;
      }),
    has: async (podId: string) => (await withFile(figuresOf(podId), () => true)) ?? false,
    /** The names, without the ending, of all files that look like charts. */
    async list(): Promise<string[]> {
      const names = await listFolder(figuresFolder(folders.state_dir));
      return names.flatMap((name) => /^([^.].*)\.json$/.exec(name)?.[1] ?? []);
    },
    /** When a chart was drawn, in milliseconds since 1970; null if there is no chart of this name. */
    drawnAt: (stem: string) => withFile(figuresPath(stem), (file) => file.modified.getTime()),
    /** Removes both files of a chart, but only if the file of the figures really holds figures of a chart. */
    async remove(stem: string): Promise<void> {
      const figures = figuresPath(stem);
      const found = await withFile(figures, (file) => readDocument(file, chartDocumentSchema));
      if (found?.state !== 'found') return;
      // The figures are removed last, because only they show that the picture is a chart of ours.
      await removeFile(join(folders.charts_dir, `${stem}.png`));
      await removeFile(figures);
    },
  };
}

/** Checks the signature of a PNG, because another file in this place is not ours and must not be shown. */
function isPicture(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
}

/**
 * `<pod_id>.png`; the colon of a port stays in the name. A digest replaces a pod_id that would lead out of the
 * folder, make a hidden file or be too long for a file name.
 */
export function chartFileName(podId: string): string {
  return `${chartStem(podId)}.png`;
}

/**
 * A folder apart from the pictures, so that the folder of the pictures holds just one file for each Pod that asked.
 */
export function figuresFolder(stateDir: string): string {
  return join(stateDir, 'charts');
}

/** The name of both files, without the ending. */
export function chartStem(podId: string): string {
  const harmless = /^[A-Za-z0-9_~%!$&'()*+,;=:@-][A-Za-z0-9._~%!$&'()*+,;=:@-]{0,199}$/;
  return harmless.test(podId) ? podId : createHash('sha256').update(podId).digest('hex');
}
