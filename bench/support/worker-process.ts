/** A worker as the mode `worker` runs it. */
import { z } from 'zod';
import { createLogger } from '../../src/base/logger.js';
import { readVersion } from '../../src/cli/version.js';
import { configSchema } from '../../src/config/schema.js';
import { unobserved } from '../../src/cycle/observer.js';
import { startWorker } from '../../src/scale/worker.js';
import { answerParent } from './child.js';

const question = z.object({
  config: configSchema,
  secrets: z.object({
    clientId: z.string(),
    clientSecret: z.string(),
    securityKey: z.string(),
    grpcToken: z.null(),
    redisUrl: z.string(),
  }),
});

answerParent({
  async start(asked) {
    const { config, secrets } = question.parse(asked);
    const log = createLogger({ verbose: false });
    log.level = 'warn';
    const { redisUrl } = secrets;
    const version = readVersion();
    await startWorker({ config, secrets, redisUrl, version, log, observer: unobserved });
    return null;
  },
});
