/** Enough of SPARQL Update for what this project sends: DELETE DATA and INSERT DATA, a triple a line. */
export function applyUpdate(document: string, update: string): string {
  const lines = new Set(document.split('\n').filter((line) => line !== ''));
  for (const [, operation, block = ''] of update.matchAll(
    /(DELETE|INSERT) DATA \{\n([^]*?)\n\}/g,
  )) {
    for (const line of block.split('\n')) {
      if (operation === 'DELETE') lines.delete(line);
      else lines.add(line);
    }
  }
  return `${[...lines].join('\n')}\n`;
}
