import { parentPort, workerData } from 'node:worker_threads';

/**
 * An analysis thread that dies where it is told to, in its first life only. It speaks the
 * messages of the real one and touches no Pod.
 */
const lives = new Int32Array(workerData.lives);
const life = Atomics.add(lives, 0, 1);
const dies = (step) => life === 0 && workerData.dieAt === step;
const post = (news) => parentPort.postMessage(news);
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

let turn;
parentPort.on('message', (order) => {
  if (order.kind === 'close') parentPort.close();
  if (order.kind === 'analyse') {
    turn = order;
    if (dies('reading')) die();
    post({ kind: 'files', turn: turn.turn, read: 40, all: 312 });
    if (workerData.dieAt === 'never, and reads on') return;
    post({ kind: 'commit', turn: turn.turn });
  }
  if (order.kind === 'stop') post({ kind: 'ended', turn: order.turn, error: order.error });
  if (order.kind === 'committed') {
    if (dies('publishing')) die();
    for (const { id, runId } of turn.calls) {
      post({ kind: 'answer', turn: turn.turn, call: id, report: report(runId) });
      // So that the answer is on its way before the end.
      if (turn.calls.length > 1 && dies('after an answer')) {
        setTimeout(die, 50);
        return;
      }
    }
    post({ kind: 'ended', turn: turn.turn, error: null });
  }
});
post({ kind: 'readiness', ready: true, reason: '' });
post({ kind: 'started' });
if (dies('start')) die();
