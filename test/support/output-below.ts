import { join } from 'node:path';

/** Its three folders, in one of a test's own. */
export function outputBelow(folder: string) {
  return {
    state_dir: join(folder, 'state'),
    results_dir: join(folder, 'results'),
    charts_dir: join(folder, 'charts'),
  };
}
