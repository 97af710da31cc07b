import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkServerIdentity, createSecureContext, rootCertificates } from 'node:tls';
import { ChannelCredentials, Metadata, type VerifyOptions } from '@grpc/grpc-js';
import { AnalyserClient } from '../generated/healthpod/analyser/v1/analyser.js';
import { ClientError } from './client-error.js';

export interface DialSettings {
  host: string;
  port: number;
  /** A PEM file with the certificate of the service, or of its issuer. */
  certificateFile: string | null;
  /** TLS with a certificate of a usual authority. Without this and without a file: no TLS. */
  tls?: boolean;
  token: string | null;
  /**
   * The address that the service is known by (its grpc.public_url). When it is given, each
   * Analyse and Cancel carries a proof of the WebID, made for this address.
   */
  publicUrl?: string | null;
}

/** A connection to the service; it opens with the first call. */
export interface ServiceConnection {
  client: AnalyserClient;
  metadata: Metadata;
  publicUrl: string | null;
  /** Host and port, for messages. */
  address: string;
  readonly isClosed: boolean;
  close(): void;
}

/** Addresses that mean "listen on all interfaces" cannot be dialled. */
const loopbackOf: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1', '': '127.0.0.1' };

/** Prepares a connection; the first call shows whether the service is there. */
export function dial({
  host,
  port,
  certificateFile,
  tls,
  token,
  publicUrl = null,
}: DialSettings): ServiceConnection {
  const name = loopbackOf[host] ?? host;
  const address = name.includes(':') ? `[${name}]:${port}` : `${name}:${port}`;
  const usual = tls ? ChannelCredentials.createSsl() : ChannelCredentials.createInsecure();
  const credentials =
    certificateFile === null ? usual : createTrustingCredentials(certificateFile, name);
  const client = new AnalyserClient(address, credentials, {
    // Dials directly: proxy variables of the environment are meant for the web.
    'grpc.enable_http_proxy': 0,
    'grpc.keepalive_time_ms': 30_000,
    // TLS allows no IP address as a server name; the certificate is checked below instead.
    ...(isIP(name) === 0 ? {} : { 'grpc.ssl_target_name_override': 'localhost' }),
    'grpc.enable_channelz': 0,
  });
  const metadata = new Metadata();
  if (token !== null) metadata.set('authorization', `Bearer ${token}`);
  let isClosed = false;
  return {
    client,
    metadata,
    publicUrl,
    address,
    get isClosed() {
      return isClosed;
    },
    close() {
      isClosed = true;
      client.close();
    },
  };
}

/** Trusts the given certificate beside the usual authorities, self-signed or not. */
function createTrustingCredentials(certificateFile: string, name: string): ChannelCredentials {
  const { pem, own } = readCertificate(certificateFile);
  const context = createSecureContext({
    ca: [pem, ...rootCertificates],
    allowPartialTrustChain: true,
  });
  return ChannelCredentials.createFromSecureContext(context, {
    // The certificate in the file itself is accepted under any name, as on loopback.
    checkServerIdentity: (_host, shown) =>
      shown.raw.equals(own.raw) ? undefined : checkServerIdentity(name, shown),
  } satisfies VerifyOptions);
}

function readCertificate(file: string): { pem: Buffer; own: X509Certificate } {
  try {
    const pem = readFileSync(file);
    return { pem, own: new X509Certificate(pem) };
  } catch (cause) {
    throw new ClientError(
      'invalid-input',
      `The TLS certificate ${file} cannot be read or is not PEM.`,
      { field: 'certificateFile', hint: 'On the command line: check grpc.tls_cert_file.', cause },
    );
  }
}
