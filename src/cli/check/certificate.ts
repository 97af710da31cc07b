import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '../../config/schema.js';
import { judgeValidity } from '../../grpc/certificate-validity.js';
import { type Finding, stopping } from './finding.js';

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
