import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { originSet } from '../base/origin-set.js';
import { originsOf } from './allowed-origins.js';
import type { ParsedFile } from './config-file.js';
import { valueAt } from './problems.js';
import type { Config, WebProxyConfig } from './schema.js';
import { type FoundSecrets, holdsSecrets } from './secrets.js';
import { secretsFileOf } from './secrets-file.js';

/** Settings that are allowed, but that an operator should know about. */
export function listWarnings(config: Config, found: FoundSecrets): string[] {
  const { web_id, server_url } = config.analyser;
  const server = new URL(server_url);
  const warnings: string[] = [];
  if (server.protocol === 'http:' && !isLoopback(server.hostname)) {
    warnings.push(`${server_url} is not https: tokens and readings travel in the clear.`);
  }
  const redis = found.redisUrl?.value;
  if (redis?.startsWith('redis:') && !isLoopback(new URL(redis).hostname)) {
    warnings.push(
      'scale.redis_url is not rediss: the password of Redis travels in the clear. What is read from Pods is sealed.',
    );
  }
  const podOrigin = new URL(web_id).origin;
  if (podOrigin !== server.origin && !originSet(originsOf(config.data)).has(podOrigin)) {
    warnings.push(
      `analyser.web_id is not on ${server.origin}, and ${podOrigin} is not in data.allowed_origins, so the Analyser Pod cannot be reached: name it there, or clear analyser.server_url.`,
    );
  }
  return warnings;
}

/** Warnings about the gRPC port. On a closed network, the settings that they name can be right. */
export function warnOfPort(
  { host, port, require_web_id_proof, tls_cert_file }: Config['grpc'],
  hasToken: boolean,
): string[] {
  if (isLoopback(host) || host === '::1') return [];
  if (hasToken && tls_cert_file === null) {
    return [
      `grpc.token crosses the network in the clear to ${host}:${port}: set grpc.tls_cert_file and grpc.tls_key_file, or keep the port to a proxy with TLS.`,
    ];
  }
  if (require_web_id_proof && tls_cert_file === null) {
    return [
      `Calls to ${host}:${port} and their proofs cross the network in the clear: set grpc.tls_cert_file and grpc.tls_key_file, or keep the port to a proxy with TLS.`,
    ];
  }
  if (hasToken || require_web_id_proof) return [];
  return [
    `Anybody who can reach ${host}:${port} can ask for analyses: set grpc.token (APP_ANALYSER_GRPC_TOKEN), and grpc.tls_cert_file where the network is not closed.`,
  ];
}

/** Warnings about the port for browsers. */
export function warnOfWebProxy({
  host,
  port,
  origins,
  service,
  tls_cert_file,
}: WebProxyConfig['web_proxy']): string[] {
  const warnings: string[] = [];
  if (service?.startsWith('http:') && !isLoopback(new URL(service).hostname)) {
    warnings.push(
      `web_proxy.service is not https: calls, with their tokens and proofs, cross the network to ${service} in the clear.`,
    );
  }
  if (origins.length === 0) {
    warnings.push(
      'web_proxy.origins is empty, so no page may call: list the origins that the app is served from.',
    );
  }
  if (!isLoopback(host) && host !== '::1' && tls_cert_file === null) {
    warnings.push(
      `Calls to ${host}:${port} cross the network in the clear, and browsers refuse them from pages with https: set web_proxy.tls_cert_file and web_proxy.tls_key_file, or keep the port to a proxy with TLS.`,
    );
  }
  return warnings;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/**
 * A warning for each file with a secret that other accounts can read. These files are config.yaml, even if the
 * environment overrides the secret, the file of secrets beside it, and the private keys of TLS.
 */
export async function warnOfReadableSecrets(file: ParsedFile): Promise<string[]> {
  const warnings: string[] = [];
  if (holdsSecrets(file.value) && isOpenToOthers(file)) {
    warnings.push(
      `${file.path} holds secrets and other accounts can read it (mode ${octal(file.mode)}): run chmod 600 '${file.path}', or set the secrets in the environment.`,
    );
  }
  const secretsFile = secretsFileOf(file.path);
  const secrets = await stat(secretsFile).catch(() => null);
  if (secrets !== null && isOpenToOthers(secrets)) {
    warnings.push(
      `${secretsFile} holds secrets and other accounts can read it (mode ${octal(secrets.mode)}): run chmod 600 '${secretsFile}'.`,
    );
  }
  for (const section of ['grpc', 'web_proxy']) {
    const keyFile = valueAt(file.value, [section, 'tls_key_file']);
    if (typeof keyFile !== 'string') continue;
    const path = resolve(dirname(file.path), keyFile);
    const key = await stat(path).catch(() => null);
    if (key === null || !isOpenToOthers(key)) continue;
    warnings.push(
      `${path} is a private key (${section}.tls_key_file) and other accounts can read it (mode ${octal(key.mode)}): run chmod 600 '${path}'.`,
    );
  }
  return warnings;
}

/**
 * If another account owns the file, its group may read it, because this process can read the file only through this
 * group.
 */
function isOpenToOthers({ mode, uid }: { mode: number; uid: number }): boolean {
  // Windows has no such bits; every file would look readable by everybody.
  if (process.platform === 'win32') return false;
  const isOurs = process.getuid?.() === uid;
  return (mode & (isOurs ? 0o044 : 0o004)) !== 0;
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
