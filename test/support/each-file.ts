import { afterAll } from 'vitest';
import { endAll } from './at-end.js';

/** Runs before each test file. */
afterAll(endAll);

// In its presence a Community Solid Server refuses logins.
delete process.env['JEST_WORKER_ID'];
