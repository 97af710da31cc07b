import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AnalyserError, codeOf } from '../../base/errors.js';
import { parseJson } from '../../base/parse-json.js';
import { diskError } from '../../store/disk-error.js';
import {
  identifyThisProcess,
  lookUpProcess,
  processIdentity,
} from '../../store/process-identity.js';

/** One set-up at a time for one configuration; takes over the lock of a dead process. */
export async function withSetupLock<T>(configFile: string, work: () => Promise<T>): Promise<T> {
  const lock = join(dirname(configFile), `.${basename(configFile)}.setup`);
  const own = await identifyThisProcess();
  if (!(await create(lock, own))) {
    const text = await readFile(lock, 'utf8').catch(() => '');
    const holder = processIdentity.safeParse(parseJson(text)).data;
    const isDead = holder !== undefined && (await lookUpProcess(holder, own)) === 'dead';
    if (isDead) await rm(lock, { force: true });
    if (!isDead || !(await create(lock, own))) {
      throw new AnalyserError(
        'configuration',
        `Another set-up works on ${configFile}${holder === undefined ? '' : ` (process ${holder.pid})`}: wait for its end, or remove ${lock} when there is none.`,
      );
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function create(lock: string, content: object): Promise<boolean> {
  try {
    await writeFile(lock, JSON.stringify(content), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw diskError('write', lock, error);
  }
}
