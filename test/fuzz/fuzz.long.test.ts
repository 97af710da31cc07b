import { test } from 'vitest';
import { runTarget, targetNames } from './run-target.js';

test.each(targetNames)('%s: broken for half a minute', (name) =>
  runTarget(name, { milliseconds: 30_000 }),
);
