import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkServerIdentity, type PeerCertificate, rootCertificates } from 'node:tls';
import { formatAddress } from './port-error.js';

/** Addresses that mean "listen on all interfaces" cannot be dialled. */
const loopbackOf: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1', '': '127.0.0.1' };

export function dialled(host: string, port: number): { name: string; address: string } {
  const name = loopbackOf[host] ?? host;
  return { name, address: formatAddress(name, port) };
}

/** Trusts the certificate in a PEM file, self-signed or not, in addition to the usual authorities. */
export function trustCertificate(file: string) {
  const pem = readFileSync(file);
  const own = new X509Certificate(pem);
  return {
    context: { ca: [pem, ...rootCertificates], allowPartialTrustChain: true },
    /** Accepts the certificate from the file under any name: on loopback, the certificate has another name. */
    checkIdentity: (name: string, shown: PeerCertificate): Error | undefined =>
      shown.raw.equals(own.raw) ? undefined : checkServerIdentity(name, shown),
  };
}
