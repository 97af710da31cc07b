import { test } from 'vitest';
import { runTarget, targetNames } from './run-target.js';

test.each(targetNames)('%s: broken in hundreds of ways', (name) =>
  runTarget(name, { runs: 300, milliseconds: 3_000 }),
);
