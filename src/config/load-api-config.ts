import { dirname } from 'node:path';
import { z } from 'zod';
import { AnalyserError } from '../base/errors.js';
import { type ApiConfig, apiSection, type OutputConfig, outputSection } from './api-schema.js';
import { type ConfigSource, readConfigFile } from './config-file.js';
import { resolveOutput } from './load-config.js';
import { describeIssues } from './problems.js';
import { warnOfReadableSecrets } from './secret-files.js';

export interface LoadedApiConfig {
  api: ApiConfig;
  output: OutputConfig;
  path: string;
  /** Sentences for the operator, to be logged at start-up. */
  warnings: string[];
}

const apiFileSchema = z.object({ api: apiSection, output: outputSection });

/**
 * The configuration of the HTTP API, which runs without credentials: other sections are neither
 * required nor checked, and nothing of them is kept.
 */
export async function loadApiConfig(source: ConfigSource): Promise<LoadedApiConfig> {
  const file = await readConfigFile(source);
  const parsed = apiFileSchema.safeParse(file.value);
  if (!parsed.success) {
    const problems = describeIssues(file, apiFileSchema, parsed.error);
    throw new AnalyserError('configuration', problems);
  }
  const { api, output } = parsed.data;
  return {
    api,
    output: resolveOutput(output, dirname(file.path)),
    path: file.path,
    warnings: await warnOfReadableSecrets(file),
  };
}
