import { createPrivateKey, X509Certificate } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { judgeValidity } from '../../base/certificate-files.js';
import { codeOf } from '../../base/errors.js';
import type { Config, OutputConfig } from '../../config/schema.js';
import { makeFolder } from '../../store/make-folder.js';
import { type Finding, judgeSpace, stopping } from './judgements.js';

const keys = ['state_dir', 'results_dir', 'charts_dir'] as const;

/** Makes missing folders and removes them again, because permissions alone do not show whether this works. */
export async function examineFolders(output: OutputConfig): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const key of keys) findings.push(...(await examineFolder(`output.${key}`, output[key])));
  return findings;
}

/** Whether all folders, or the places where they would be made, belong to another account than this one. */
export async function areOfAnother(output: OutputConfig): Promise<boolean> {
  const owners = await Promise.all(
    keys.map(async (key) => (await stat(await nearestThatExists(output[key]))).uid),
  );
  return owners.every((uid) => uid !== process.getuid?.());
}

async function examineFolder(key: string, folder: string): Promise<Finding[]> {
  try {
    const made = await makeFolder(folder);
    for (const empty of made.reverse()) await rmdir(empty);
    const isFolder = made.length > 0 || (await stat(folder)).isDirectory();
    if (!isFolder) return stopping(`${key} ${folder} is a file, not a folder. Correct ${key}.`);
    if (made.length === 0) await access(folder, constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    return stopping(
      `${key} ${folder} cannot be written by this account (${codeOf(error) ?? 'nothing can be made there'}): give it the folder (chown), or correct ${key}.`,
    );
  }
}

/** How full the disks of the `output` folders are; a disk that holds several of them is reported once. */
export async function examineSpace(output: OutputConfig): Promise<Finding[]> {
  const seen = new Set<number>();
  const findings: Finding[] = [];
  for (const key of keys) {
    const folder = await nearestThatExists(output[key]);
    const device = (await stat(folder).catch(() => null))?.dev;
    const space = await statfs(folder).catch(() => null);
    if (device === undefined || space === null || seen.has(device)) continue;
    seen.add(device);
    findings.push(...judgeSpace(`output.${key} ${output[key]}`, space));
  }
  return findings;
}

async function nearestThatExists(folder: string): Promise<string> {
  const parent = dirname(folder);
  if (parent === folder) return folder;
  const exists = await access(folder).then(
    () => true,
    () => false,
  );
  return exists ? folder : await nearestThatExists(parent);
}

/**
 * A certificate is renewed about thirty days before it expires. If fewer days than this are left, its renewal is
 * broken.
 */
const soonDays = 21;

export async function examineCertificate(
  { tls_cert_file: certFile, tls_key_file: keyFile }: Config['grpc'],
  now: Date,
): Promise<Finding[]> {
  if (certFile === null || keyFile === null) return [];
  const certificate = await readAs((pem) => new X509Certificate(pem), certFile);
  if (certificate === null) {
    return stopping(`grpc.tls_cert_file ${certFile} is no PEM certificate: replace it.`);
  }
  const key = await readAs(createPrivateKey, keyFile);
  if (key === null || !certificate.checkPrivateKey(key)) {
    return stopping(
      `grpc.tls_key_file ${keyFile} is not the PEM key of ${certFile}: replace either.`,
    );
  }
  const problem = judgeValidity(certFile, certificate, now, soonDays);
  return problem === null ? [] : [{ stops: !problem.isValid, message: problem.message }];
}

async function readAs<T>(parse: (pem: Buffer) => T, file: string): Promise<T | null> {
  try {
    return parse(await readFile(file));
  } catch {
    return null;
  }
}
