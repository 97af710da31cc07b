import { expect, test } from 'vitest';
import { reportWithoutResult, stopError } from './analysis-report.js';
import { Call, Turn } from './turn.js';

/** The turn of the main thread, and that of the analysis thread, which asks it. */
function bothSides(...webIds: string[]) {
  const main = new Turn(webIds.map((webId) => new Call({ webId })));
  const calls = main.named.map((named) => new Call(named));
  const thread = new Turn(calls, async () => {
    const goingOn = await main.commit();
    return new Set(goingOn.map(({ id }) => id));
  });
  return { main, thread };
}

test('the other thread goes on only for the calls that the main thread has not stopped', async () => {
  const { main, thread } = bothSides('alice', 'bob');
  for (const call of main.calls) if (call.webId === 'alice') main.stop(call, stopError('cancel'));
  expect((await thread.commit()).map(({ webId }) => webId)).toEqual(['bob']);
  expect(main.calls.map(({ state }) => state)).toEqual(['answered', 'committed']);
});

test('the other thread passes no checkpoint when all calls were stopped', async () => {
  const { main, thread } = bothSides('alice');
  main.stopAll(stopError('timeout'));
  await expect(thread.commit()).rejects.toThrow('took too long');
  expect(main.reports).toEqual([
    reportWithoutResult('FAILED', 'The analysis took too long and was abandoned.'),
  ]);
});

test('calls of one WebID are one caller with one run, and only the first answer of each counts', () => {
  const { main } = bothSides('alice', 'bob', 'alice');
  expect(main.callers).toEqual(['alice', 'bob']);
  main.nameRuns(['20260819T091500Z', '20260819T091501Z']);
  expect(main.named.map(({ runId }) => runId.slice(-3))).toEqual(['00Z', '01Z', '00Z']);
  main.stopAll(stopError('cancel'));
  main.answer(main.calls[0]?.id ?? '', reportWithoutResult('NO_DATA', 'Too late.'));
  main.end(null);
  expect(main.reports.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
});
