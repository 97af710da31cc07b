import { type Changes, type Triple, writeTriples } from './sparql-update.js';

const prefix = '@prefix solid: <http://www.w3.org/ns/solid/terms#> .';

/**
 * Writes a patch in the format of the Solid Protocol. It can remove only existing statements: for a missing one, a
 * server answers 409. Returns null for a change that the format cannot express.
 */
export function buildN3Patch(changes: Changes): string | null {
  const [deletes, inserts] = [distinct(changes.delete), distinct(changes.insert)];
  if (deletes.some(({ object }) => 'any' in object)) return null;
  const parts = [
    ...(deletes.length > 0 ? [`solid:deletes {\n${writeTriples(deletes)}}`] : []),
    ...(inserts.length > 0 ? [`solid:inserts {\n${writeTriples(inserts)}}`] : []),
  ];
  return `${prefix}\n_:patch a solid:InsertDeletePatch ;\n${parts.join(' ;\n')} .\n`;
}

function distinct(triples: readonly Triple[] = []): Triple[] {
  return [...new Map(triples.map((triple) => [JSON.stringify(triple), triple])).values()];
}
