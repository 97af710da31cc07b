import { test } from 'vitest';
import { runTarget, targetNames } from './run-target.js';

// From another seed each time, which is printed.
test.each(targetNames)('%s: five hundred broken inputs', (name) =>
  runTarget(name, { inputs: 500 }),
);
