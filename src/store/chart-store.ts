import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { listFolder, readStored, removeFile, writeFileAtomically } from './files.js';

export type ChartStore = ReturnType<typeof openChartStore>;

/** The pictures: one for each Pod that asked, the newest. Only the holder of the analysis lock writes and removes. */
export function openChartStore({ charts_dir, render_charts = true }: ChartFolder) {
  const pathOf = (podId: string) => join(charts_dir, chartFileName(podId));

  const read = async (podId: string) => {
    const png = render_charts ? await readStored(pathOf(podId)) : null;
    return png !== null && isPicture(png) ? png : null;
  };

  /** Other files may lie in the folder, and stay. */
  const removeEach = async (goes: (fileName: string) => boolean | Promise<boolean>) => {
    for (const fileName of (await listFolder(charts_dir)).filter(isNamedAsChart)) {
      if (await goes(fileName)) await removeFile(join(charts_dir, fileName));
    }
  };

  return {
    /** Returns the name of the file, which belongs into `charts.pods` of the results document. */
    async write(podId: string, png: Uint8Array): Promise<string> {
      await writeFileAtomically(pathOf(podId), png);
      return chartFileName(podId);
    },
    read,
    has: async (podId: string) => (await read(podId)) !== null,
    /** Removes the chart of a Pod, whatever its file holds; returns whether there was one. */
    remove: (podId: string): Promise<boolean> => removeFile(pathOf(podId)),
    async keepOnly(podIds: Iterable<string>): Promise<void> {
      const kept = new Set(Array.from(podIds, chartFileName));
      await removeEach((fileName) => !kept.has(fileName));
    },
    async dropBefore(time: number): Promise<void> {
      await removeEach(async (name) => (await lstat(join(charts_dir, name))).mtimeMs < time);
    },
  };
}

interface ChartFolder {
  charts_dir: string;
  /** False: no chart is shown, and none is kept. */
  render_charts?: boolean;
}

/** Checks the signature of a PNG, because another file in this place is not ours and must not be shown. */
function isPicture(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
}

/**
 * A pod_id that a file can have for its name, and hardly any other file has: it begins with a host with a port, or with
 * a host of several labels and then the name of a Pod.
 */
const name = "[\\w.~%!$&'()*+,;=:@-]+";
const telling = new RegExp(
  `^(?=.{1,200}$)(?:[a-z\\d][\\w.-]*:\\d+(?:-${name})?|(?:localhost|[a-z\\d][\\w-]*\\.[\\w.-]*)-${name})$`,
  'i',
);

/** `<pod_id>.png`; the colon of a port stays in the name. A digest replaces any pod_id that is not `telling`. */
export function chartFileName(podId: string): string {
  const stem = telling.test(podId) ? podId : createHash('sha256').update(podId).digest('hex');
  return `${stem}.png`;
}

/** Whatever server the Pod is of: it may have left the configuration. */
export function isNamedAsChart(fileName: string): boolean {
  const [, stem = ''] = /^(.+)\.png$/s.exec(fileName) ?? [];
  return telling.test(stem) || /^[0-9a-f]{64}$/.test(stem);
}
