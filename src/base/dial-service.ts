import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkServerIdentity, type PeerCertificate, rootCertificates } from 'node:tls';
import { formatAddress } from './port-error.js';

/** Addresses that mean "listen on all interfaces" cannot be dialled. */
const loopbackOf: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1', '': '127.0.0.1' };

/** What to dial where somebody listens on this host and port. */
export function dialled(host: string, port: number): { name: string; address: string } {
  const name = loopbackOf[host] ?? host;
  return { name, address: formatAddress(name, port) };
}

/** Trusts the certificate of a PEM file beside the usual authorities, self-signed or not. */
export function trustCertificate(file: string) {
  const pem = readFileSync(file);
  const own = new X509Certificate(pem);
  return {
    context: { ca: [pem, ...rootCertificates], allowPartialTrustChain: true },
    /** The certificate in the file itself is accepted under any name, as on loopback. */
    checkIdentity: (name: string, shown: PeerCertificate): Error | undefined =>
      shown.raw.equals(own.raw) ? undefined : checkServerIdentity(name, shown),
  };
}
