import { expect, test } from 'vitest';
import { describeProblem, type Member } from './crew.js';

const member = (role: Member['role'], version: string): Member => ({ role, version, id: 'x' });
const service = member('service', '2.0.0');
const worker = member('worker', '2.0.0');

test('a service needs a worker of its own version', () => {
  expect(describeProblem(service, [service])).toBe(
    'No worker is ready to read: start one with the mode worker, or look at its log.',
  );
  expect(describeProblem(service, [service, worker])).toBe('');
  const older = ['1.9.0', '1.8.0', '1.9.0'].map((version) => member('worker', version));
  expect(describeProblem(service, older)).toBe(
    'The workers run version 1.8.0 and 1.9.0 and this service runs version 2.0.0: bring all to the same version.',
  );
  expect(describeProblem(service, [...older, worker])).toBe('');
});

test('a worker waits for services, and says when they are of another version', () => {
  expect(describeProblem(worker, [worker])).toBe('');
  expect(describeProblem(worker, [worker, service])).toBe('');
  expect(describeProblem(worker, [member('service', '3.0.0')])).toBe(
    'The services run version 3.0.0 and this worker runs version 2.0.0: it is given no work until all run the same version.',
  );
});
