import { z } from 'zod';

/** The message of the parent to the server process, which answers with the word `ready`. */
export const solidServerStart = z.object({
  configFile: z.string(),
  port: z.number(),
  baseUrl: z.string(),
  rootDir: z.string(),
});

export type SolidServerStart = z.infer<typeof solidServerStart>;
