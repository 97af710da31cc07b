import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type Server as TlsServer } from 'node:tls';
import { AnalyserError, messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { DAY_MS } from '../base/utc-time.js';

interface Pair {
  cert: Buffer;
  key: Buffer;
}

/** A section of the configuration. It has both files or neither. */
interface TlsSection {
  section: 'grpc' | 'web_proxy';
  tls_cert_file: string | null;
  tls_key_file: string | null;
}

/** A renewal that works replaces the certificate long before this, and so causes no warning. */
const WARNED_DAYS_AHEAD = 14;
const LOOK_EVERY_MS = 10_000;

/**
 * The files are read again every few seconds, because file notifications do not work for mounted or linked files. While
 * the two do not fit together, as in the middle of a renewal, the old pair stays in use.
 */
export class CertificateFiles {
  readonly #servers: TlsServer[] = [];
  readonly #timer: NodeJS.Timeout;
  #complaint = '';

  private constructor(
    private readonly files: TlsSection,
    public pair: Pair,
    private readonly log: Logger,
  ) {
    this.#tell(endOf(files, pair, new Date())?.message);
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  /** Null without TLS. Throws if the files are no certificate and its key. */
  static async load(files: TlsSection, log: Logger): Promise<CertificateFiles | null> {
    const pair = await readPair(files);
    return pair && new CertificateFiles(files, pair, log);
  }

  renewAt(server: TlsServer): void {
    this.#servers.push(server);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      const pair = (await readPair(this.files)) ?? this.pair;
      if (!pair.cert.equals(this.pair.cert) || !pair.key.equals(this.pair.key)) {
        this.pair = pair;
        for (const server of this.#servers) server.setSecureContext(pair);
        this.log.info('The renewed TLS certificate is in use.');
      }
      this.#tell(endOf(this.files, pair, new Date())?.message);
    } catch (error) {
      this.#tell(`${messageOf(error)} The certificate read before stays in use.`);
    }
  }

  /** Once, however often the files are looked at. */
  #tell(complaint = ''): void {
    if (complaint !== '' && complaint !== this.#complaint) this.log.warn(complaint);
    this.#complaint = complaint;
  }
}

export async function examineCertificate(files: TlsSection, now: Date) {
  const pair = await readPair(files);
  return pair && endOf(files, pair, now);
}

function endOf({ tls_cert_file }: TlsSection, { cert }: Pair, now: Date) {
  const end = new Date(new X509Certificate(cert).validTo);
  const left = end.getTime() - now.getTime();
  if (left >= WARNED_DAYS_AHEAD * DAY_MS) return null;
  const message = `The certificate ${tls_cert_file} ends on ${end.toISOString()}. Renew it; the running service takes up the new file by itself.`;
  return { isOver: left <= 0, message };
}

async function readPair(files: TlsSection): Promise<Pair | null> {
  const { section, tls_cert_file, tls_key_file } = files;
  if (tls_cert_file === null || tls_key_file === null) return null;
  const [cert, key] = await Promise.all([
    readPem(`${section}.tls_cert_file`, tls_cert_file),
    readPem(`${section}.tls_key_file`, tls_key_file),
  ]);
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new AnalyserError(
      'configuration',
      `${section}.tls_cert_file ${tls_cert_file} and ${section}.tls_key_file ${tls_key_file} are not a PEM certificate and its key.`,
      { cause },
    );
  }
  return { cert, key };
}

export async function readPem(key: string, file: string): Promise<Buffer> {
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
