import { parentPort, workerData } from 'node:worker_threads';

/**
 * An analysis thread that dies where it is told to, in its first life only. It speaks the
 * messages of the real one and touches no Pod.
 */
const lives = new Int32Array(workerData.lives);
const life = Atomics.add(lives, 0, 1);
const dies = (step) => life === 0 && workerData.dieAt === step;
const tell = (kind, rest) => parentPort.postMessage({ kind, ...rest });
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
  if (workerData.dieAt === 'reading') {
    const inHand = Buffer.from(workerData.inHand);
    inHand.writeUInt16LE(inHand.write(workerData.readingOf, 2), 0);
  }
  if (workerData.how === 'exit') process.exit(1);
  if (workerData.how === 'throw') throw new Error('broken');
  const hoard = [];
  for (;;) hoard.push(new Array(100_000).fill(hoard.length));
}

let calls = [];
parentPort.on('message', (message) => {
  if (message.kind === 'shutDown') parentPort.close();
  if (message.kind === 'analyse') {
    calls = message.calls;
    if (dies('reading')) die();
    tell('files', { read: 40, all: 312 });
    // One that never dies reads on, and hears a Cancel only if it is told to.
    if (workerData.dieAt !== 'never') tell('commit');
  }
  if (message.kind === 'cancel' && workerData.how === 'hears a Cancel') {
    tell('ended', { error: message.reason });
  }
  // One that writes on ends when it is told to.
  const isWriting = message.kind === 'committed' && workerData.how === 'writes on';
  if (isWriting) tell('files', { read: 312, all: 312 });
  else if (message.kind === 'committed' || message.kind === 'endWriting') {
    if (dies('publishing')) die();
    for (const { id, runId } of calls) {
      tell('answer', { id, report: report(runId) });
      // So that the answer is on its way before the end.
      if (calls.length > 1 && dies('after an answer')) {
        setTimeout(die, 50);
        return;
      }
    }
    tell('ended', { error: null });
  }
});
tell('readiness', { state: { ready: true, reason: '' } });
if (dies('start')) die();
