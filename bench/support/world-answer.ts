import { z } from 'zod';

/** Where the Pods of a benchmark are, and who shares what. */
export const worldAnswer = z.object({
  baseUrl: z.string(),
  securityKey: z.string(),
  analyserWebId: z.string(),
  contributors: z.array(z.object({ webId: z.string(), readings: z.array(z.string()) })),
});

export type World = z.infer<typeof worldAnswer> & {
  credentials: { clientId: string; clientSecret: string };
};
