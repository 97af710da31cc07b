import { z } from 'zod';
import type { Config, Secrets } from '../config/schema.js';
import type { Pauses } from '../run/readiness.js';

/** What the analysis thread is given when it starts. The only way by which secrets get there. */
export interface ThreadData {
  config: Config;
  secrets: Secrets;
  version: string;
  /** What the environment says of traces. */
  env: Readonly<Record<string, string | undefined>>;
  verbose: boolean;
  /** Whether anybody counts what it does. */
  isMeasured: boolean;
  /** Between two tries to get ready. */
  pauses?: Pauses;
}

/** Made by this process and handed over as it is. */
export const threadData = z.custom<ThreadData>((value) => typeof value === 'object');
