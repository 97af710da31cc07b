import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { experimental } from '@grpc/grpc-js';
import { AnalyserError, messageOf } from './errors.js';
import type { Logger } from './logger.js';
import { countOf } from './sentences.js';
import { DAY_MS } from './utc-time.js';

type Identity = experimental.IdentityCertificateUpdate;

interface PairOfFiles {
  /** The section of the configuration with tls_cert_file and tls_key_file. */
  section: 'grpc' | 'web_proxy';
  cert: string;
  key: string;
}

interface Listeners {
  log: Logger;
  now: () => Date;
}

/** A renewal that works replaces the certificate long before this, and so causes no warning. */
const warnedDaysAhead = 14;

/**
 * The PEM files of tls_cert_file and tls_key_file. They are read again every few seconds, because file notifications do
 * not work for mounted or linked files. While the two files do not fit together, for example because only one of them
 * has been renewed so far, the old pair stays in use.
 */
export class CertificateFiles implements experimental.CertificateProvider {
  readonly #listeners = new Set<experimental.IdentityCertificateUpdateListener>();
  readonly #timer: NodeJS.Timeout;
  #complaint = '';
  #warnedAt = Number.NEGATIVE_INFINITY;

  private constructor(
    private readonly files: PairOfFiles,
    private identity: Identity,
    private readonly tell: Listeners,
    everyMs: number,
  ) {
    this.#tellExpiry();
    this.#timer = setInterval(() => void this.#refresh(), everyMs);
    this.#timer.unref();
  }

  static async load(
    files: PairOfFiles,
    tell: Listeners,
    everyMs: number,
  ): Promise<CertificateFiles> {
    return new CertificateFiles(files, await readPair(files), tell, everyMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  addIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#listeners.add(listener);
    // The server asks for its first certificate before it can receive one.
    process.nextTick(() => listener(this.identity));
  }

  removeIdentityCertificateListener(
    listener: experimental.IdentityCertificateUpdateListener,
  ): void {
    this.#listeners.delete(listener);
  }

  /** Callers show no certificates, so there is no authority to watch. */
  addCaCertificateListener(): void {}

  removeCaCertificateListener(): void {}

  /** Warns once a day at most. */
  #tellExpiry(): void {
    const { log, now } = this.tell;
    const certificate = new X509Certificate(this.identity.certificate);
    const problem = judgeValidity(this.files.cert, certificate, now());
    if (problem === null || now().getTime() < this.#warnedAt + DAY_MS) return;
    this.#warnedAt = now().getTime();
    log.warn(problem.message);
  }

  async #refresh(): Promise<void> {
    this.#tellExpiry();
    try {
      const pair = await readPair(this.files);
      this.#complaint = '';
      const { certificate, privateKey } = this.identity;
      if (pair.certificate.equals(certificate) && pair.privateKey.equals(privateKey)) return;
      this.identity = pair;
      this.#warnedAt = Number.NEGATIVE_INFINITY;
      for (const listener of this.#listeners) listener(pair);
      this.tell.log.info('The renewed TLS certificate is in use.');
    } catch (error) {
      if (messageOf(error) === this.#complaint) return;
      this.#complaint = messageOf(error);
      this.tell.log.warn(`${this.#complaint} The certificate read before stays in use.`);
    }
  }
}

/** Judges the certificate in the files of the configuration; throws if they are no certificate and its key. */
export async function examineCertificate(files: PairOfFiles, now: Date) {
  const { certificate } = await readPair(files);
  return judgeValidity(files.cert, new X509Certificate(certificate), now);
}

/** Says if a certificate is not valid yet, has expired, or expires soon. */
export function judgeValidity(
  file: string,
  { validFrom, validTo }: { validFrom: string; validTo: string },
  now: Date,
): { isValid: boolean; message: string } | null {
  const [from, to] = [new Date(validFrom), new Date(validTo)];
  const renew = 'Renew it; the running service takes up the new file by itself.';
  if (now < from) {
    return {
      isValid: false,
      message: `The certificate ${file} is valid only from ${from.toISOString()}: set the clock of this machine, or take another certificate.`,
    };
  }
  if (now >= to) {
    return {
      isValid: false,
      message: `The certificate ${file} expired on ${to.toISOString()}. ${renew}`,
    };
  }
  const days = Math.floor((to.getTime() - now.getTime()) / DAY_MS);
  if (days >= warnedDaysAhead) return null;
  return {
    isValid: true,
    message: `The certificate ${file} expires in ${countOf(days, 'day')}, on ${to.toISOString()}. ${renew}`,
  };
}

async function readPair({ section, cert, key }: PairOfFiles): Promise<Identity> {
  const [certificate, privateKey] = await Promise.all([
    read(`${section}.tls_cert_file`, cert),
    read(`${section}.tls_key_file`, key),
  ]);
  try {
    createSecureContext({ cert: certificate, key: privateKey });
  } catch (cause) {
    throw new AnalyserError(
      'configuration',
      `${section}.tls_cert_file ${cert} and ${section}.tls_key_file ${key} are not a PEM certificate and its key.`,
      { cause },
    );
  }
  return { certificate, privateKey };
}

async function read(key: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new AnalyserError(
      'configuration',
      `${key} ${file} cannot be read; check the path and its permissions.`,
      { cause },
    );
  }
}
