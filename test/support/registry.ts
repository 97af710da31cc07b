import { execFileSync } from 'node:child_process';
import type { TestContext } from 'vitest';
import { messageOf } from '../../src/base/errors.js';

/** Whether npm says that there is no network. */
export function isUnreachable(said: string): boolean {
  return /E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT)/.test(said);
}

/**
 * For npm's environment: what it has fetched before is not asked for again, no network is waited for, and npm finds its
 * settings here also on another Node.js, beside which it would look for them.
 */
export function registryEnv(): Record<string, string> {
  const settings = execFileSync('npm', ['config', 'get', 'globalconfig'], { encoding: 'utf8' });
  return {
    npm_config_globalconfig: settings.trim(),
    npm_config_prefer_offline: 'true',
    npm_config_fetch_retries: '0',
  };
}

/** Leaves the test out where no registry answers; in CI one must. */
export async function needsRegistry<T>(
  installing: Promise<T>,
  skip: TestContext['skip'],
): Promise<T> {
  try {
    return await installing;
  } catch (error) {
    if (process.env['CI'] !== undefined || !isUnreachable(messageOf(error))) throw error;
    const why = 'No package registry can be reached, so nothing was installed from it.';
    console.warn(why);
    return skip(why);
  }
}
