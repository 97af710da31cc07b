import { z } from 'zod';

/** What the parent tells the server process; the answer is the word `ready`. */
export const solidServerStart = z.object({
  configFile: z.string(),
  port: z.number(),
  baseUrl: z.string(),
  rootDir: z.string(),
});

export type SolidServerStart = z.infer<typeof solidServerStart>;
