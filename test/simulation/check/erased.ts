import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from '../people/person.js';
import type { World } from '../world.js';
import { openMemory } from './open-memory.js';

/** Where somebody is still named whom the operator has erased: there is no such file, document, rule or Pod. */
export function namesOfErased(world: World, { name, root }: Person): string[] {
  const { server, analyser, folder } = world;
  const isNaming = (address: string, text: string) => address.includes(name) || text.includes(name);
  const documents = server
    .below(analyser.root)
    .filter((url) => isNaming(url, server.textOf(url) ?? ''));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => {
    const path = join(folder, file);
    return isNaming(file, statSync(path).isFile() ? readFileSync(path, 'utf8') : '');
  });
  const isRemembered = openMemory(world)?.memory.pods.has(root) === true;
  const places = [...documents, ...files, ...(isRemembered ? ['the memory'] : [])];
  return places.map((place) => `${name} was erased, and stands in ${place}`);
}
