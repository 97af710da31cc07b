import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { OwnBuild } from '../base/build.js';

const root = new URL('../../', import.meta.url);
/** The build writes this file beside the compiled code; there is none when the sources run. */
const builtFile = new URL('../build.json', import.meta.url);

const readJson = (file: URL): unknown => JSON.parse(readFileSync(file, 'utf8'));
const { version } = z
  .object({ version: z.string() })
  .parse(readJson(new URL('package.json', root)));
const builtSchema = z.object({ commit: z.string().nullable(), digest: z.string() });

export const ownBuild: OwnBuild = {
  version,
  ...(existsSync(builtFile)
    ? builtSchema.parse(readJson(builtFile))
    : { commit: null, digest: 'sources' }),
};
