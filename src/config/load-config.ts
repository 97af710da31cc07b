import { dirname, resolve } from 'node:path';
import { type ConfigSource, checkFile, readConfigFile } from './config-file.js';
import {
  type Config,
  type ConfigFile,
  configSchema,
  type FoundSecrets,
  type OutputConfig,
  servedSchema,
  webProxySchema,
} from './schema.js';
import { requireSecrets, withSecrets } from './secrets.js';
import { listWarnings, warnOfReadableSecrets, warnOfWebProxy } from './warnings.js';

/** `path` is absolute, and `warnings` are sentences for the operator. */
export type LoadedConfig = Awaited<ReturnType<typeof loadConfig>>;
export type LoadedApiConfig = Awaited<ReturnType<typeof loadApiConfig>>;
export type LoadedWebProxyConfig = Awaited<ReturnType<typeof loadWebProxyConfig>>;

export async function loadConfig(source: ConfigSource) {
  const { found, ...rest } = await loadEffectiveConfig(source);
  return { ...rest, secrets: requireSecrets(found, rest.path) };
}

/** Loads the configuration even if secrets are missing; `found` has those that are set. For modes that serve nothing. */
export async function loadEffectiveConfig(source: ConfigSource) {
  const file = await readConfigFile(source);
  const written = checkFile(configSchema, await withSecrets(file, source.env));
  const { config, found } = separateSecrets(written, dirname(file.path));
  const warnings = [...(await warnOfReadableSecrets(file)), ...listWarnings(config, found)];
  return { config, found, path: file.path, warnings };
}

/** The API runs without credentials, so other sections may be missing, are not checked, and are not kept. */
export async function loadApiConfig(source: ConfigSource) {
  const file = await readConfigFile(source);
  const { api, output } = checkFile(servedSchema, file);
  const warnings = await warnOfReadableSecrets(file);
  return { api, output: resolveOutput(output, dirname(file.path)), path: file.path, warnings };
}

/** The same for the proxy that translates gRPC-Web, which needs no secret either. */
export async function loadWebProxyConfig(source: ConfigSource) {
  const file = await readConfigFile(source);
  const { web_proxy, grpc } = checkFile(webProxySchema, file);
  const folder = dirname(file.path);
  return {
    web_proxy: resolvePair(web_proxy, folder),
    grpc: { ...grpc, tls_cert_file: absolute(grpc.tls_cert_file, folder) },
    path: file.path,
    warnings: [...(await warnOfReadableSecrets(file)), ...warnOfWebProxy(web_proxy)],
  };
}

function separateSecrets(
  file: ConfigFile,
  folder: string,
): { config: Config; found: FoundSecrets } {
  const { security_key, credentials, ...analyser } = file.analyser;
  const { token, ...grpc } = resolvePair(file.grpc, folder);
  const { redis_url, ...scale } = file.scale;
  const { allowed_issuers: issuers } = grpc;
  const config = {
    ...file,
    analyser,
    grpc: { ...grpc, allowed_issuers: issuers.length > 0 ? issuers : [analyser.server_url] },
    web_proxy: resolvePair(file.web_proxy, folder),
    output: resolveOutput(file.output, folder),
    scale,
  };
  const found = {
    securityKey: security_key ?? null,
    clientId: credentials?.client_id ?? null,
    clientSecret: credentials?.client_secret ?? null,
    grpcToken: token ?? null,
    redisUrl: redis_url ?? null,
  };
  return { config, found };
}

/** Paths are relative to the folder of config.yaml, not to that in which the command was started. */
function absolute(path: string | null, folder: string): string | null {
  return path === null ? null : resolve(folder, path);
}

function resolvePair<Section extends { tls_cert_file: string | null; tls_key_file: string | null }>(
  section: Section,
  folder: string,
) {
  const { tls_cert_file, tls_key_file } = section;
  return {
    ...section,
    tls_cert_file: absolute(tls_cert_file, folder),
    tls_key_file: absolute(tls_key_file, folder),
  };
}

function resolveOutput(output: OutputConfig, folder: string): OutputConfig {
  return {
    ...output,
    state_dir: resolve(folder, output.state_dir),
    results_dir: resolve(folder, output.results_dir),
    charts_dir: resolve(folder, output.charts_dir),
  };
}
