import { parentPort, workerData } from 'node:worker_threads';

/**
 * An analysis thread that dies where it is told to, in its first life only. It speaks the
 * messages of the real one and touches no Pod.
 */
const lives = new Int32Array(workerData.lives);
const life = Atomics.add(lives, 0, 1);
const dies = (step) => life === 0 && workerData.dieAt === step;
const tell = (name, ...given) => parentPort.postMessage({ name, given, id: null });
const reply = (id) => parentPort.postMessage({ id, value: undefined, error: null });
const report = (runId) => ({
  status: 'COMPLETED',
  run_id: runId,
  generated_at: '2026-08-19T09:15:00.000+00:00',
  message: '',
  result_url: '',
  pod_count: 1,
  observation_count: 1,
  files_read: 1,
  files_skipped: 0,
  published: true,
});

function die() {
  if (workerData.how === 'exit') process.exit(1);
  if (workerData.how === 'throw') throw new Error('broken');
  const hoard = [];
  for (;;) hoard.push(new Array(100_000).fill(hoard.length));
}

const commitId = 1;
let analyse;
parentPort.on('message', (message) => {
  if (message.name === 'close') parentPort.close();
  if (message.name === 'analyse') {
    analyse = message;
    if (dies('reading')) die();
    tell('files', 40, 312);
    if (workerData.dieAt.startsWith('never')) return;
    parentPort.postMessage({ name: 'commit', given: [], id: commitId });
  }
  if (message.name === 'stop' && workerData.dieAt !== 'never, and hears nothing') {
    parentPort.postMessage({ id: analyse.id, value: undefined, error: message.given[0] });
  }
  if (message.id === commitId && 'value' in message) {
    if (dies('publishing')) die();
    const [calls] = analyse.given;
    for (const { id, runId } of calls) {
      tell('answer', id, report(runId));
      // So that the answer is on its way before the end.
      if (calls.length > 1 && dies('after an answer')) {
        setTimeout(die, 50);
        return;
      }
    }
    reply(analyse.id);
  }
});
tell('readiness', { ready: true, reason: '' });
if (dies('start')) die();
