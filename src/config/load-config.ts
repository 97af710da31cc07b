import { dirname, resolve } from 'node:path';
import { AnalyserError } from '../base/errors.js';
import { type ConfigSource, readConfigFile } from './config-file.js';
import { describeIssues } from './problems.js';
import {
  type ApiConfig,
  type Config,
  type ConfigFile,
  configSchema,
  type OutputConfig,
  type Secrets,
  servedSchema,
} from './schema.js';
import { checkVariables, type FoundSecrets, findSecrets, requireSecrets } from './secrets.js';
import { readSecretsFile, type SecretsFile } from './secrets-file.js';
import { absolute, checkTlsFiles } from './tls-files.js';
import { listWarnings, warnOfReadableSecrets } from './warnings.js';

interface Loaded {
  /** The absolute path of the configuration file. */
  path: string;
  /** Sentences for the operator, to be logged at start-up. */
  warnings: string[];
}

export interface EffectiveConfig extends Loaded {
  config: Config;
  /** The secrets that are set. A mode that needs all of them uses loadConfig instead. */
  found: FoundSecrets;
}

export interface LoadedConfig extends Loaded {
  config: Config;
  secrets: Secrets;
}

export interface LoadedApiConfig extends Loaded {
  api: ApiConfig;
  output: OutputConfig;
}

/** Loads everything that a mode needs to work with the Pod, or throws one error with all problems. */
export async function loadConfig(source: ConfigSource): Promise<LoadedConfig> {
  const { found, secretsFile, ...rest } = await load(source, { needsTlsKey: true });
  return { ...rest, secrets: requireSecrets(found, rest.path, secretsFile) };
}

/**
 * Loads the configuration even if secrets are missing. For modes that serve nothing, and that may run under an
 * account that cannot read the private key of TLS.
 */
export async function loadEffectiveConfig(source: ConfigSource): Promise<EffectiveConfig> {
  const { secretsFile: _file, ...effective } = await load(source, { needsTlsKey: false });
  return effective;
}

/**
 * Loads the configuration of the HTTP API. The API runs without credentials, so other sections may be missing, are
 * not checked, and are not kept.
 */
export async function loadApiConfig(source: ConfigSource): Promise<LoadedApiConfig> {
  const file = await readConfigFile(source);
  const parsed = servedSchema.safeParse(file.value);
  if (!parsed.success) {
    const problems = describeIssues(file, configSchema, parsed.error);
    throw new AnalyserError('configuration', problems);
  }
  const { api, output } = parsed.data;
  return {
    api,
    output: resolveOutput(output, dirname(file.path)),
    path: file.path,
    warnings: await warnOfReadableSecrets(file),
  };
}

async function load(
  source: ConfigSource,
  { needsTlsKey }: { needsTlsKey: boolean },
): Promise<EffectiveConfig & { secretsFile: SecretsFile }> {
  const file = await readConfigFile(source);
  const secretsFile = await readSecretsFile(file.path);
  const parsed = configSchema.safeParse(file.value);
  const problems = [
    ...(parsed.success ? [] : describeIssues(file, configSchema, parsed.error)),
    ...(await checkTlsFiles(file, 'grpc', needsTlsKey ? undefined : ['tls_cert_file'])),
    ...checkVariables(source.env),
    ...checkVariables(secretsFile.values, `${secretsFile.path}: `),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new AnalyserError('configuration', problems);
  }
  const found = findSecrets(parsed.data, source.env, secretsFile);
  const config = toConfig(parsed.data, dirname(file.path));
  const warnings = [...(await warnOfReadableSecrets(file)), ...listWarnings(config, found)];
  return { config, found, path: file.path, warnings, secretsFile };
}

function toConfig(file: ConfigFile, folder: string): Config {
  const { security_key, credentials, ...analyser } = file.analyser;
  const { token, ...grpc } = file.grpc;
  const { redis_url, ...scale } = file.scale;
  return {
    ...file,
    analyser,
    grpc: {
      ...grpc,
      tls_cert_file: absolute(grpc.tls_cert_file, folder),
      tls_key_file: absolute(grpc.tls_key_file, folder),
      allowed_issuers:
        grpc.allowed_issuers.length > 0 ? grpc.allowed_issuers : [analyser.server_url],
    },
    web_proxy: {
      ...file.web_proxy,
      tls_cert_file: absolute(file.web_proxy.tls_cert_file, folder),
      tls_key_file: absolute(file.web_proxy.tls_key_file, folder),
    },
    output: resolveOutput(file.output, folder),
    scale,
  };
}

/**
 * Paths in config.yaml are relative to the folder of that file, not to the folder in which the command was started.
 */
function resolveOutput(output: OutputConfig, folder: string): OutputConfig {
  return {
    ...output,
    state_dir: resolve(folder, output.state_dir),
    results_dir: resolve(folder, output.results_dir),
    charts_dir: resolve(folder, output.charts_dir),
  };
}
