import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  cert: string;
  key: string;
}

/** A folder of certificates made on the spot; gone after the test. */
export class Certificates implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'bp-analyser-tls-'));
  #count = 0;

  selfSigned(name: string, days = 1): Certificate {
    const { cert, key } = this.#next();
    const request = ['req', '-x509', '-nodes', ...newKey, '-keyout', key, '-out', cert];
    this.#openssl(...request, '-days', `${days}`, ...named(name));
    return { cert, key };
  }

  /** Issued by an authority that nobody knows; the file holds the leaf alone. */
  issued(name: string): Certificate {
    const authority = this.selfSigned('DNS:authority.example');
    const { cert, key } = this.#next();
    const request = `${cert}.request`;
    this.#openssl('req', '-nodes', ...newKey, '-keyout', key, '-out', request, ...named(name));
    const signed = ['-CA', authority.cert, '-CAkey', authority.key, '-CAcreateserial'];
    const kept = ['-days', '1', '-copy_extensions', 'copy', '-out', cert];
    this.#openssl('x509', '-req', '-in', request, ...signed, ...kept);
    return { cert, key };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }

  #next(): Certificate {
    this.#count += 1;
    const path = join(this.folder, String(this.#count));
    return { cert: `${path}.pem`, key: `${path}.key` };
  }

  #openssl(...args: string[]): void {
    execFileSync('openssl', args, { stdio: 'pipe' });
  }
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
const named = (name: string) => ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${name}`];
