import { arrayOf, isString, shape } from '../api/shape.js';

/** The answer of /api/runs: run ids, newest first. */
export const isRunsBody = shape<{ runs: string[] }>({ runs: arrayOf(isString) });
