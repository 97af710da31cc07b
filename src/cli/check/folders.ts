import { constants } from 'node:fs';
import { access, rmdir, stat } from 'node:fs/promises';
import { codeOf } from '../../base/errors.js';
import type { OutputConfig } from '../../config/schema.js';
import { makeFolder } from '../../store/make-folder.js';
import { type Finding, stopping } from './finding.js';

const keys = ['state_dir', 'results_dir', 'charts_dir'] as const;

/** Makes what is missing and takes it away again, since permissions alone do not tell. */
export async function examineFolders(output: OutputConfig): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const key of keys) findings.push(...(await examineFolder(`output.${key}`, output[key])));
  return findings;
}

async function examineFolder(key: string, folder: string): Promise<Finding[]> {
  try {
    const made = await makeFolder(folder);
    for (const one of made.reverse()) await rmdir(one);
    const isFolder = made.length > 0 || (await stat(folder)).isDirectory();
    if (!isFolder) return stopping(`${key} ${folder} is a file, not a folder. Correct ${key}.`);
    if (made.length === 0) await access(folder, constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    return stopping(
      `${key} ${folder} cannot be written by this account (${reasonOf(error)}): give it the folder (chown), or correct ${key}.`,
    );
  }
}

function reasonOf(error: unknown): string {
  return codeOf(error) ?? 'nothing can be made there';
}
