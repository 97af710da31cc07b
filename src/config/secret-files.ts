import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ParsedFile } from './config-file.js';
import { valueAt } from './problems.js';
import { secretPlaces } from './secrets.js';

/**
 * A warning for each file with a secret that other accounts can read: config.yaml, even when the
 * environment overrides the secret, and the private key of TLS.
 */
export async function warnOfReadableSecrets(file: ParsedFile): Promise<string[]> {
  const warnings: string[] = [];
  if (holdsSecrets(file.value) && isOpenToOthers(file)) {
    warnings.push(
      `${file.path} holds secrets and other accounts can read it (mode ${octal(file.mode)}): run chmod 600 '${file.path}', or set the secrets in the environment.`,
    );
  }
  const keyFile = valueAt(file.value, ['grpc', 'tls_key_file']);
  if (typeof keyFile !== 'string') return warnings;
  const path = resolve(dirname(file.path), keyFile);
  const key = await stat(path).catch(() => null);
  if (key !== null && isOpenToOthers(key)) {
    warnings.push(
      `${path} is a private key (grpc.tls_key_file) and other accounts can read it (mode ${octal(key.mode)}): run chmod 600 '${path}'.`,
    );
  }
  return warnings;
}

function holdsSecrets(value: unknown): boolean {
  return Object.values(secretPlaces).some(
    ({ key }) => valueAt(value, key.split('.')) !== undefined,
  );
}

/** A file of another account has to be open to a group, or this process could not read it. */
function isOpenToOthers({ mode, uid }: { mode: number; uid: number }): boolean {
  // Windows has no such bits; every file would look readable by everybody.
  if (process.platform === 'win32') return false;
  const isOurs = process.getuid?.() === uid;
  return (mode & (isOurs ? 0o044 : 0o004)) !== 0;
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
