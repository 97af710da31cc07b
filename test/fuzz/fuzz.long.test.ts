import { test } from 'vitest';
import { runTarget } from './run-target.js';
import { targets } from './targets.js';

test.each(Object.keys(targets))('%s: broken for half a minute', (name) =>
  runTarget(name, { milliseconds: 30_000 }),
);
