/**
 * Leads from a page to the overview, and in front of its path to every other page. All links are relative, so that the
 * pages also work below a path of a proxy.
 */
export function rootOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return './' + '../'.repeat(path.split('/').length - 2);
}
