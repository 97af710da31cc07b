import { stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { originSet } from '../base/origin-set.js';
import { shellWord } from '../base/sentences.js';
import { originsOf } from './allowed-origins.js';
import { type ParsedFile, valueAt } from './config-file.js';
import type { Config, FoundSecrets, WebProxyConfig } from './schema.js';
import { holdsSecrets, secretsFileOf } from './secrets.js';

/** Settings that are allowed, but that an operator should know about. */
export function listWarnings(config: Config, found: FoundSecrets): string[] {
  const { web_id, server_url } = config.analyser;
  const server = new URL(server_url);
  const warnings: string[] = [];
  if (server.protocol === 'http:' && !isLoopback(server.hostname)) {
    warnings.push(`${server_url} is not https: tokens and readings travel in the clear.`);
  }
  const redis = found.redisUrl;
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

/** Warns of a gRPC port that other machines reach without a guard. On a closed network, that can be right. */
export function warnOfPort(
  { host, port, require_web_id_proof, tls_cert_file }: Config['grpc'],
  hasToken: boolean,
): string[] {
  const missing = [
    ...(hasToken || require_web_id_proof ? [] : ['grpc.token (APP_ANALYSER_GRPC_TOKEN)']),
    ...(tls_cert_file === null ? ['grpc.tls_cert_file'] : []),
  ];
  if (isLoopback(host) || missing.length === 0) return [];
  return [
    `Other machines reach ${host}:${port}, and there is no ${missing.join(' and no ')}: set it, or keep the port to a closed network or a proxy with TLS.`,
  ];
}

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
  if (!isLoopback(host) && tls_cert_file === null) {
    warnings.push(
      `Other machines reach ${host}:${port}, and there is no web_proxy.tls_cert_file: set it, or keep the port to a proxy with TLS.`,
    );
  }
  return warnings;
}

function isLoopback(hostname: string): boolean {
  const own = ['localhost', '::1', '[::1]'];
  return isIP(hostname) === 4 ? hostname.startsWith('127.') : own.includes(hostname);
}

/** Of config.yaml, even if the environment overrides its secrets, the file beside it, and the private keys of TLS. */
export function warnOfReadableSecrets({ path, value }: ParsedFile): Promise<string[]> {
  const keyFiles = ['grpc', 'web_proxy'].flatMap((section) => {
    const file = valueAt(value, `${section}.tls_key_file`);
    return typeof file === 'string' ? [resolve(dirname(path), file)] : [];
  });
  return warnOfReadable([...(holdsSecrets(value) ? [path] : []), secretsFileOf(path), ...keyFiles]);
}

export async function warnOfReadable(files: readonly string[]): Promise<string[]> {
  const warnings = files.map(async (file) => {
    const info = await stat(file).catch(() => null);
    if (info === null || !isOpenToOthers(info)) return [];
    const mode = (info.mode & 0o777).toString(8).padStart(4, '0');
    return `${file} holds secrets and other accounts can read it (mode ${mode}): run chmod 600 ${shellWord(file)}`;
  });
  return (await Promise.all(warnings)).flat();
}

/** Where another account owns the file, this process can read it only through the group. */
function isOpenToOthers({ mode, uid }: { mode: number; uid: number }): boolean {
  // Windows has no such bits; every file would look readable by everybody.
  if (process.platform === 'win32') return false;
  const isOurs = process.getuid?.() === uid;
  return (mode & (isOurs ? 0o044 : 0o004)) !== 0;
}
