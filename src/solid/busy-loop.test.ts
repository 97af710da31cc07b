import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBusyCheck } from './busy-loop.js';

function compute(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('busy is who computes nearly all the time since the last check', async () => {
  const isBusy = createBusyCheck();
  await pause(100);
  expect(isBusy()).toBe(false);
  for (let turn = 0; turn < 10; turn += 1) {
    compute(50);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(isBusy()).toBe(true);
  await pause(100);
  expect(isBusy()).toBe(false);
});
