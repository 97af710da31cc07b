import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { countOf } from '../../base/count-of.js';
import type { Config } from '../../config/schema.js';
import { type Finding, notice, stopping } from './finding.js';

const dayMs = 24 * 3600 * 1000;
/** A renewal that works comes about thirty days ahead, so later than this it is broken. */
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
  const { validFrom, validTo } = certificate;
  return judgeValidity(certFile, new Date(validFrom), new Date(validTo), now);
}

async function readAs<T>(parse: (pem: Buffer) => T, file: string): Promise<T | null> {
  try {
    return parse(await readFile(file));
  } catch {
    return null;
  }
}

export function judgeValidity(file: string, from: Date, to: Date, now: Date): Finding[] {
  const renew = 'Renew it; the running service takes up the new file by itself.';
  if (now < from) {
    return stopping(
      `The certificate ${file} is valid only from ${from.toISOString()}: set the clock of this machine, or take another certificate.`,
    );
  }
  if (now >= to) {
    return stopping(`The certificate ${file} expired on ${to.toISOString()}. ${renew}`);
  }
  const days = Math.floor((to.getTime() - now.getTime()) / dayMs);
  if (days >= soonDays) return [];
  return notice(
    `The certificate ${file} expires in ${countOf(days, 'day')}, on ${to.toISOString()}. ${renew}`,
  );
}
