import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OutputConfig } from '../../config/api-schema.js';
import { type Finding, stopping } from './finding.js';

const keys = ['state_dir', 'results_dir', 'charts_dir'] as const;

/** Asks the file system for permissions, because a check writes nothing. */
export async function examineFolders(output: OutputConfig): Promise<Finding[]> {
  const findings = await Promise.all(
    keys.map((key) => examineFolder(`output.${key}`, output[key])),
  );
  return findings.flat();
}

async function examineFolder(key: string, folder: string): Promise<Finding[]> {
  const existing = await nearestExisting(folder);
  if (!existing.isFolder) {
    return stopping(
      `${key} ${folder} cannot be a folder: ${existing.path} is a file. Correct ${key}.`,
    );
  }
  if (await mayWrite(existing.path)) return [];
  return stopping(
    `${key} ${folder} cannot be written by this account: give it ${existing.path} (chown), or correct ${key}.`,
  );
}

/** A missing folder is created on demand, so the nearest existing one above it counts. */
async function nearestExisting(path: string): Promise<{ path: string; isFolder: boolean }> {
  try {
    return { path, isFolder: (await stat(path)).isDirectory() };
  } catch {
    const parent = dirname(path);
    return parent === path ? { path, isFolder: true } : await nearestExisting(parent);
  }
}

function mayWrite(folder: string): Promise<boolean> {
  const writing = access(folder, constants.W_OK | constants.X_OK);
  return writing.then(
    () => true,
    () => false,
  );
}
