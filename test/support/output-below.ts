import { join } from 'node:path';
import type { VarFolders } from '../../src/store/tidy-up.js';

/** The three folders of a var/, in a folder of a test's own. */
export function outputBelow(folder: string) {
  return {
    state_dir: join(folder, 'state'),
    results_dir: join(folder, 'results'),
    charts_dir: join(folder, 'charts'),
  };
}

/** The same, with what the code that writes there has to know. */
export function varBelow(folder: string, change: Partial<VarFolders> = {}): VarFolders {
  return {
    ...outputBelow(folder),
    analyser: 'https://pods.example.org/analyser/profile/card#me',
    keep_days: null,
    render_charts: true,
    ...change,
  };
}
