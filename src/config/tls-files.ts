import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ParsedFile } from './config-file.js';
import { describeProblem, valueAt } from './problems.js';
import { configSchema } from './schema.js';

/** Checks that the files exist and can be read. The schema already checks that the keys go together. */
export async function checkTlsFiles(
  file: ParsedFile,
  section: 'grpc' | 'web_proxy',
  names: readonly string[] = ['tls_cert_file', 'tls_key_file'],
): Promise<string[]> {
  const problems: string[] = [];
  for (const name of names) {
    const path = [section, name];
    const value = valueAt(file.value, path);
    if (typeof value !== 'string' || (await isReadableFile(resolve(dirname(file.path), value)))) {
      continue;
    }
    problems.push(
      describeProblem(file, configSchema, path, 'a PEM file that exists and is readable'),
    );
  }
  return problems;
}

async function isReadableFile(path: string): Promise<boolean> {
  const readable = access(path, constants.R_OK).then(() => stat(path));
  return (await readable.catch(() => null))?.isFile() === true;
}

/**
 * Paths in config.yaml are relative to the folder of that file, not to the folder in which the command was started.
 */
export function absolute(path: string | null, folder: string): string | null {
  return path === null ? null : resolve(folder, path);
}
