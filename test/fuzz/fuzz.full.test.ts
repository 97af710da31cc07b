import { test } from 'vitest';
import { runTarget, targetNames } from './run-target.js';

// Half a minute in all, from another seed each time.
test.each(targetNames)('%s: broken for three seconds', (name) => runTarget(name, 3_000));
