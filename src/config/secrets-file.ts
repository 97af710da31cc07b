import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { AnalyserError, codeOf } from '../base/errors.js';

export interface SecretsFile {
  path: string;
  /** By the names of the environment variables; empty if the file is not there, or this account may not read it. */
  values: Readonly<Record<string, string | undefined>>;
  isClosed: boolean;
}

/** `config.env` beside `config.yaml`. */
export function secretsFileOf(configFile: string): string {
  return `${configFile.replace(/\.ya?ml$/, '')}.env`;
}

/**
 * Reads the secrets that stand apart from the configuration, so that services which need none can be kept from this
 * file. It may be closed to this account: systemd, for one, reads it as root and hands on the variables.
 */
export async function readSecretsFile(configFile: string): Promise<SecretsFile> {
  const path = secretsFileOf(configFile);
  try {
    return { path, values: parseEnv(await readFile(path, 'utf8')), isClosed: false };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return { path, values: {}, isClosed: false };
    if (code === 'EACCES' || code === 'EPERM') return { path, values: {}, isClosed: true };
    const message = `${path} cannot be read (${code ?? 'unknown error'}).`;
    throw new AnalyserError('configuration', message, { cause: error });
  }
}
