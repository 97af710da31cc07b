/** Where a page lies. All links are relative, so that the pages also work below a path of a proxy. */
export interface PageAddress {
  /** Leads to the overview, and in front of its path to every other page. */
  root: string;
  /** The same for the pages of the run that is shown: those of the newest run lie at the root. */
  run: string;
  query: URLSearchParams;
  /** This page with other parameters; null takes a parameter out. */
  here(change: Readonly<Record<string, string | null>>): string;
}

/** `runId` is null for the newest run. */
export function pageAddress(url: string, runId: string | null): PageAddress {
  const [path = '', search = ''] = url.split('?', 2);
  const folders = path.split('/').slice(1);
  const name = folders.pop() ?? '';
  const root = './' + '../'.repeat(folders.length);
  const query = new URLSearchParams(search);
  return {
    root,
    run: runId === null ? root : `${root}runs/${runId}/`,
    query,
    here(change) {
      const changed = new URLSearchParams(query);
      for (const [key, value] of Object.entries(change)) {
        if (value === null) changed.delete(key);
        else changed.set(key, value);
      }
      return changed.size === 0 ? `./${name}` : `./${name}?${changed.toString()}`;
    },
  };
}
