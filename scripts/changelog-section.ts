/** What CHANGELOG.md says of a version, without its heading; null when it has no such section. */
export function changelogSection(changelog: string, version: string): string | null {
  const lines = changelog.split('\n');
  const isHeading = (line: string) => line.startsWith('## ');
  const start = lines.findIndex((line) => isHeading(line) && line.split(' ')[1] === version);
  if (start === -1) return null;
  const length = lines.slice(start + 1).findIndex(isHeading);
  const end = length === -1 ? lines.length : start + 1 + length;
  return `${lines
    .slice(start + 1, end)
    .join('\n')
    .trim()}\n`;
}
