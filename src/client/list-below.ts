import { isFolder } from '../pod/resource-address.js';
import { listContainer } from '../solid/documents/container.js';
import type { SolidClient } from '../solid/solid-client.js';
import { mapPermitted, type Permitted } from './permitted.js';

const LISTED_AT_ONCE = 8;

/** The folder and everything below it, at any depth. */
export async function listBelow(client: SolidClient, folder: string): Promise<Permitted<string>> {
  const all: Permitted<string> = { found: [folder], refusals: [] };
  for (let level = [folder]; level.length > 0; ) {
    const { found, refusals } = await mapPermitted(
      level,
      LISTED_AT_ONCE,
      async (folder) => (await listContainer(client, folder)) ?? [],
    );
    all.found = all.found.concat(found);
    all.refusals = all.refusals.concat(refusals);
    level = found.filter(isFolder);
  }
  return all;
}
