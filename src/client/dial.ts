import { isIP } from 'node:net';
import { checkServerIdentity, createSecureContext } from 'node:tls';
import { ChannelCredentials, Metadata, type VerifyOptions } from '@grpc/grpc-js';
import { AnalyserClient } from '../generated/healthpod/analyser/v1/analyser.js';
import { dialled, trustCertificate } from '../ports/dial-service.js';
import { ClientError } from './client-error.js';

export interface DialSettings {
  host: string;
  port: number;
  /** A PEM file with the certificate of the service, or of its issuer. */
  certificateFile?: string | null;
  /** TLS with a certificate from a public authority; `certificateFile` means TLS in any case. */
  tls?: boolean;
  token?: string | null;
  /** The service's grpc.public_url. With it, each Analyse and Cancel carries a proof of the WebID, made for it. */
  publicUrl?: string | null;
}

export type ServiceConnection = ReturnType<typeof dial>;

/** A connection to the service; it opens with the first call. */
export function dial({
  host,
  port,
  certificateFile = null,
  tls = false,
  token = null,
  publicUrl = null,
}: DialSettings) {
  const { name, address } = dialled(host, port);
  const client = new AnalyserClient(address, credentialsFor(name, tls, certificateFile), {
    // Dials directly: proxy variables of the environment are meant for the web.
    'grpc.enable_http_proxy': 0,
    'grpc.keepalive_time_ms': 30_000,
    // TLS does not allow an IP address as a server name, so another name is sent and `identityOf` checks the address.
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
    /** Host and port, for messages. */
    address,
    get isClosed() {
      return isClosed;
    },
    close(): void {
      isClosed = true;
      client.close();
    },
  };
}

function credentialsFor(name: string, tls: boolean, file: string | null): ChannelCredentials {
  if (file !== null) {
    const { context, checkIdentity } = readCertificate(file);
    const secure = createSecureContext(context);
    return ChannelCredentials.createFromSecureContext(secure, identityOf(name, checkIdentity));
  }
  if (!tls) return ChannelCredentials.createInsecure();
  return ChannelCredentials.createSsl(null, null, null, identityOf(name, checkServerIdentity));
}

/** Checks the shown certificate against `name`, and not against the server name that was sent. */
function identityOf(name: string, check: typeof checkServerIdentity): VerifyOptions {
  return { checkServerIdentity: (_sent, shown) => check(name, shown) };
}

function readCertificate(file: string) {
  try {
    return trustCertificate(file);
  } catch (cause) {
    throw new ClientError(
      'invalid-input',
      `The TLS certificate ${file} cannot be read or is not PEM.`,
      { field: 'certificateFile', cause },
    );
  }
}
