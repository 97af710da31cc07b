import { appendFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { acquireLock, readLockState } from '../../src/store/folder-lock.js';

/**
 * Another process that wants the analysis lock. `hold` takes it and keeps it until it is killed
 * or told to end; `rounds` takes it again and again and notes each entry and exit in a file; `look` only looks at it.
 */
const [, , mode = '', stateDir = '', journal = '', rounds = '0'] = process.argv;

if (mode === 'hold') {
  const lock = await acquireLock(stateDir, 'analysis', { onWait: () => console.log('waiting') });
  console.log('held');
  process.stdin.once('data', () => {
    void lock.unlock().then(() => process.exit(0));
  });
} else if (mode === 'look') {
  console.log('ready');
  for (;;) await readLockState(stateDir, 'analysis');
} else {
  console.log('ready');
  for (let round = 0; round < Number(rounds); round++) {
    const lock = await acquireLock(stateDir, 'analysis');
    appendFileSync(journal, `in ${process.pid}\n`);
    await setImmediate();
    appendFileSync(journal, `out ${process.pid}\n`);
    await lock.unlock();
  }
  process.exit(0);
}
