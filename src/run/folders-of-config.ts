import type { Config } from '../config/schema.js';
import type { VarFolders } from '../store/tidy-up.js';

export function varFolders({ analyser, output }: Pick<Config, 'analyser' | 'output'>): VarFolders {
  return { analyser: analyser.web_id, ...output };
}
