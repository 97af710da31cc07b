import { openSync } from 'node:fs';
import { createLogger } from '../../src/base/logger.js';

/** For the log of both threads, where a test looks at neither. */
export const nowhere = openSync('/dev/null', 'w');
export const noLog = createLogger({ verbose: false, stream: nowhere });
