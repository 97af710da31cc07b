import { test } from 'vitest';
import { runTarget, targetNames } from './run-target.js';

test.each(targetNames)('%s: five hundred broken inputs', (name) =>
  runTarget(name, { inputs: 500 }),
);
