import { afterAll } from 'vitest';
import { endAll } from './at-end.js';

/** Runs before each test file. */
afterAll(endAll);
