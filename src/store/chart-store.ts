import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readStored, removeFile, writeFileAtomically } from './files.js';

export type ChartStore = ReturnType<typeof openChartStore>;

/** The pictures: one for each Pod that asked, the newest. */
export function openChartStore({ charts_dir }: { charts_dir: string }) {
  const pathOf = (podId: string) => join(charts_dir, chartFileName(podId));

  /** Null if there is none. */
  const read = async (podId: string) => {
    const png = await readStored(pathOf(podId));
    return png !== null && isPicture(png) ? png : null;
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
  const harmless = /^[A-Za-z0-9_~%!$&'()*+,;=:@-][A-Za-z0-9._~%!$&'()*+,;=:@-]{0,199}$/;
  const stem = harmless.test(podId) ? podId : createHash('sha256').update(podId).digest('hex');
  return `${stem}.png`;
}

/**
 * Tells whether a file is named as a chart of a Pod: its name begins with the host of one of these servers, or is a
 * digest. Other files may lie in the folder of the charts, and they are not ours to remove.
 */
export function isNamedAsChart(servers: readonly string[]): (fileName: string) => boolean {
  const hosts = servers.map((server) =>
    // In the pattern of a configured origin, `*` is one label.
    new URL(server).host.replace(/[.*[\]]/g, (sign) => (sign === '*' ? '[^.]+' : `\\${sign}`)),
  );
  const name = new RegExp(`^(?:(?:${hosts.join('|')})-.+|[0-9a-f]{64})\\.png$`, 'i');
  return (fileName) => name.test(fileName);
}
