import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ChartDocument, chartDocumentSchema } from '../documents/chart-document.js';
import { listFolder, writeFileAtomically } from './atomic-file.js';
import { readDocument, type StoredDocument } from './stored-document.js';
import { type StoredFile, withFile } from './stored-file.js';

export interface StoredChart {
  png: Buffer;
  modified: Date;
}

export interface ChartStore {
  /**
   * Writes the picture and the figures that it draws; returns the picture's file name, which
   * belongs into `charts.pods` of the results document.
   */
  write(podId: string, png: Uint8Array, figures: ChartDocument): Promise<string>;
  /** Null when no chart of that Pod is there. */
  read(podId: string): Promise<StoredChart | null>;
  readFigures(podId: string): Promise<StoredDocument<ChartDocument>>;
}

export interface ChartFolders {
  charts_dir: string;
  state_dir: string;
}

export function openChartStore({ charts_dir, state_dir }: ChartFolders): ChartStore {
  const figuresDir = figuresFolder(state_dir);
  return {
    async write(podId, png, figures) {
      const name = chartFileName(podId);
      const text = `${JSON.stringify(figures)}\n`;
      await writeFileAtomically(join(figuresDir, figuresFileName(podId)), text);
      await writeFileAtomically(join(charts_dir, name), png);
      return name;
    },
    read: (podId) =>
      withListed(charts_dir, chartFileName(podId), async (file) => ({
        png: await file.read(),
        modified: file.modified,
      })),
    readFigures: async (podId) =>
      (await withListed(figuresDir, figuresFileName(podId), (file) =>
        readDocument(file, chartDocumentSchema),
      )) ?? { state: 'absent' },
  };
}

async function withListed<T>(
  folder: string,
  wanted: string,
  use: (file: StoredFile) => Promise<T>,
): Promise<T | null> {
  // The file name comes from the listing, never from the caller.
  const listed = (await listFolder(folder)).find((name) => name === wanted);
  return listed === undefined ? null : withFile(join(folder, listed), use);
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
