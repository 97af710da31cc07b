import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { messageOf } from '../../base/errors.js';
import type { Config } from '../../config/schema.js';

const dayMs = 24 * 3600 * 1000;
/** Renewals that work come about thirty days ahead. */
const soonDays = 21;

/** The pair of grpc.tls_cert_file and grpc.tls_key_file. */
export async function examineCertificate(
  { tls_cert_file: certFile, tls_key_file: keyFile }: Config['grpc'],
  now: Date,
): Promise<string[]> {
  if (certFile === null || keyFile === null) return [];
  return [...(await examineExpiry(certFile, now)), ...(await examineKeyFile(keyFile))];
}

async function examineExpiry(file: string, now: Date): Promise<string[]> {
  try {
    const { validFrom, validTo } = new X509Certificate(await readFile(file));
    return judgeValidity(file, new Date(validFrom), new Date(validTo), now);
  } catch (error) {
    return [`grpc.tls_cert_file ${file} is no PEM certificate (${messageOf(error)}): replace it.`];
  }
}

export function judgeValidity(file: string, from: Date, to: Date, now: Date): string[] {
  const renew = 'Renew it; the running service takes up the new file by itself.';
  if (now < from) {
    return [
      `The certificate ${file} is valid only from ${from.toISOString()}: set the clock of this machine, or take another certificate.`,
    ];
  }
  if (now >= to) return [`The certificate ${file} expired on ${to.toISOString()}. ${renew}`];
  const days = Math.floor((to.getTime() - now.getTime()) / dayMs);
  if (days >= soonDays) return [];
  return [`The certificate ${file} expires in ${days} days, on ${to.toISOString()}. ${renew}`];
}

async function examineKeyFile(file: string): Promise<string[]> {
  const { mode } = await stat(file);
  // Windows has no such bits: every file looks readable by all.
  if ((mode & 0o004) === 0 || process.platform === 'win32') return [];
  return [`Every account can read grpc.tls_key_file ${file}: run chmod 640 '${file}'.`];
}
