import { AnalyserError, messageOf } from '../../base/errors.js';
import { createLogger } from '../../base/logger.js';
import { withoutFullStop } from '../../base/sentences.js';
import type { Config, Secrets } from '../../config/schema.js';
import { type Finding, stopping } from './judgements.js';

/** Whether Redis can hand work to the workers; no finding if scale.redis_url is not set. */
export async function examineRedis(config: Config, secrets: Secrets): Promise<Finding[]> {
  const { redisUrl } = secrets;
  if (redisUrl === null) return [];
  const { openSharedRedis } = await import('../../workers/join.js');
  // The log is thrown away, because the finding says the same.
  const log = createLogger({ verbose: false, stream: { write: () => undefined } });
  const { redis } = await openSharedRedis({ config, secrets, redisUrl, log });
  try {
    const problem = await redis.findProblem();
    return problem === '' ? [] : stopping(problem);
  } catch (error) {
    if (!(error instanceof AnalyserError)) throw error;
    const cause = withoutFullStop(messageOf(error.cause));
    return stopping(`scale.redis_url: ${error.message} (${cause})`);
  } finally {
    await redis.close();
  }
}
