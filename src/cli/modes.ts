import type { ModeEntry } from './mode.js';

/** Every mode, in the order of the help text. */
export const modes: readonly ModeEntry[] = [
  {
    name: 'show-config',
    summary: 'Print the effective configuration; secrets only as set or missing.',
    load: () => import('./modes/show-config.js'),
  },
  {
    name: 'test',
    summary: 'Run the offline test suite: no server, no network.',
    load: () => import('./modes/test.js'),
  },
];
