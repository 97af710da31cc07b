import { expect, test } from 'vitest';
import { describeProblem } from './presence.js';

const service = { role: 'service', version: '2.0.0' } as const;
const worker = { role: 'worker', version: '2.0.0' } as const;

test('a service needs a worker of its own version', () => {
  expect(describeProblem(service, [])).toBe(
    'No worker is ready to read: start one with the mode worker, or look at its log.',
  );
  expect(describeProblem(service, ['2.0.0'])).toBe('');
  const older = ['1.9.0', '1.8.0', '1.9.0'];
  expect(describeProblem(service, older)).toBe(
    'The workers run version 1.8.0 and 1.9.0 and this service runs version 2.0.0: bring all to the same version.',
  );
  expect(describeProblem(service, [...older, '2.0.0'])).toBe('');
});

test('a worker waits for services, and says when they are of another version', () => {
  expect(describeProblem(worker, [])).toBe('');
  expect(describeProblem(worker, ['2.0.0'])).toBe('');
  expect(describeProblem(worker, ['3.0.0'])).toBe(
    'The services run version 3.0.0 and this worker runs version 2.0.0: it is given no work until all run the same version.',
  );
});
