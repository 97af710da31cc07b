import { acquireLock, readLockState } from '../../src/store/folder-lock.js';

/**
 * Another process that wants the analysis lock. `hold` takes it and keeps it until it is killed or told to end; `look` only
 * looks at it.
 */
const [, , mode = '', stateDir = ''] = process.argv;

if (mode === 'hold') {
  const lock = await acquireLock(stateDir, 'analysis', { onWait: () => console.log('waiting') });
  console.log('held');
  process.stdin.once('data', () => {
    void lock.unlock().then(() => process.exit(0));
  });
} else {
  console.log('ready');
  for (;;) await readLockState(stateDir, 'analysis');
}
