import { serversOf } from '../config/allowed-origins.js';
import type { Config } from '../config/schema.js';

/** What the code that writes below var/ has to know of the configuration. */
export function varFolders(config: Pick<Config, 'analyser' | 'data' | 'output'>) {
  const { state_dir, results_dir, charts_dir, keep_days } = config.output;
  const analyser = config.analyser.web_id;
  return { analyser, state_dir, results_dir, charts_dir, keep_days, servers: serversOf(config) };
}
