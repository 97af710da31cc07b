import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../src/base/parse-json.js';
import { isAffected, weaknessSchema } from './weakness.js';

/**
 * Holds the locked packages against a folder of advisories in the OSV format, where `npm audit`
 * cannot be asked. Fails when one is about a package that ships.
 */
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().default(''), dev: z.boolean().default(false) }),
  ),
});

function lockedIn(folder: string, mayShip: boolean) {
  const text = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const { packages } = lockSchema.parse(JSON.parse(text));
  return Object.entries(packages).map(([path, { version, dev }]) => ({
    name: path.split('node_modules/').at(-1) ?? '',
    version,
    ships: mayShip && !dev,
  }));
}

function main(folder: string | undefined): number {
  if (folder === undefined) {
    console.error('Name the folder of the unpacked export: npm run weaknesses -- FOLDER');
    return 2;
  }
  const locked = [...lockedIn('.', true), ...lockedIn('tools', false)];
  const names = new Set(locked.map(({ name }) => name));
  let read = 0;
  const found = new Map<string, boolean>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const parsed = weaknessSchema.safeParse(parseJson(text));
    if (!parsed.success) {
      console.error(`${file} is no advisory in the OSV format.`);
      return 2;
    }
    read += 1;
    const weakness = parsed.data;
    if (!weakness.affected.some((one) => names.has(one.package?.name ?? ''))) continue;
    for (const { name, version, ships } of locked) {
      if (!isAffected(weakness, name, version)) continue;
      const line = `${name} ${version}: ${weakness.id}, ${weakness.summary}`;
      found.set(line, ships || found.get(line) === true);
    }
  }
  for (const [line, ships] of found) console.log(`${ships ? 'ships' : 'tools'}  ${line}`);
  console.log(`${found.size} found for ${names.size} packages in ${read} advisories.`);
  return read === 0 || [...found.values()].includes(true) ? 1 : 0;
}

process.exitCode = main(process.argv[2]);
