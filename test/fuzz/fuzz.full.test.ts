import { test } from 'vitest';
import { runTarget } from './run-target.js';
import { targets } from './targets.js';

test.each(Object.keys(targets))('%s: five hundred broken inputs', (name) =>
  runTarget(name, { inputs: 500 }),
);
