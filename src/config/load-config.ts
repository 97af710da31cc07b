import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AnalyserError } from '../base/errors.js';
import type { OutputConfig } from './api-schema.js';
import { checkRelease } from './check-release.js';
import { type ConfigSource, type ParsedFile, readConfigFile } from './config-file.js';
import { type ConfigFile, fileSchema } from './file-schema.js';
import { describeIssues, describeProblem, valueAt } from './problems.js';
import type { Config, Secrets } from './schema.js';
import { warnOfReadableSecrets } from './secret-files.js';
import { checkVariables, type FoundSecrets, findSecrets, requireSecrets } from './secrets.js';
import { listWarnings } from './warnings.js';

export interface EffectiveConfig {
  config: Config;
  /** The secrets that were found; a mode that needs them all uses loadConfig instead. */
  found: FoundSecrets;
  /** The absolute path of the configuration file. */
  path: string;
  /** Sentences for the operator, to be logged at start-up. */
  warnings: string[];
}

export interface LoadedConfig extends Omit<EffectiveConfig, 'found'> {
  secrets: Secrets;
}

/** Everything that a mode needs to work with the Pod; all problems in one error. */
export async function loadConfig(source: ConfigSource): Promise<LoadedConfig> {
  const { found, ...rest } = await load(source, { needsTlsKey: true });
  return { ...rest, secrets: requireSecrets(found, rest.path) };
}

/**
 * The configuration as it would be used, complete or not. For modes that serve nothing and may run
 * as an account that cannot read the private key of TLS.
 */
export function loadEffectiveConfig(source: ConfigSource): Promise<EffectiveConfig> {
  return load(source, { needsTlsKey: false });
}

async function load(
  source: ConfigSource,
  { needsTlsKey }: { needsTlsKey: boolean },
): Promise<EffectiveConfig> {
  const file = await readConfigFile(source);
  const parsed = fileSchema.safeParse(file.value);
  const problems = [
    ...(parsed.success ? [] : describeIssues(file, fileSchema, parsed.error)),
    ...(await checkTlsFiles(file, needsTlsKey)),
    ...checkPublicUrl(file),
    ...checkRelease(file),
    ...checkVariables(source.env),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new AnalyserError('configuration', problems);
  }
  const found = findSecrets(parsed.data, source.env);
  const config = toConfig(parsed.data, dirname(file.path));
  const warnings = [...(await warnOfReadableSecrets(file)), ...listWarnings(config, found)];
  return { config, found, path: file.path, warnings };
}

/** Paths in config.yaml are relative to the file, wherever the command was started. */
export function resolveOutput(output: OutputConfig, folder: string): OutputConfig {
  return {
    ...output,
    state_dir: resolve(folder, output.state_dir),
    results_dir: resolve(folder, output.results_dir),
    charts_dir: resolve(folder, output.charts_dir),
  };
}

function toConfig(file: ConfigFile, folder: string): Config {
  const { security_key, credentials, ...analyser } = file.analyser;
  const { token, ...grpc } = file.grpc;
  const { redis_url, ...scale } = file.scale;
  const server = new URL(analyser.server_url ?? new URL('/', analyser.web_id));
  if (!server.pathname.endsWith('/')) server.pathname += '/';
  const absolute = (path: string | null) => (path === null ? null : resolve(folder, path));
  return {
    ...file,
    analyser: { ...analyser, server_url: server.href },
    grpc: {
      ...grpc,
      tls_cert_file: absolute(grpc.tls_cert_file),
      tls_key_file: absolute(grpc.tls_key_file),
      allowed_issuers: grpc.allowed_issuers.length > 0 ? grpc.allowed_issuers : [server.href],
    },
    output: resolveOutput(file.output, folder),
    scale,
  };
}

/** Outside the schema, which skips checks across keys while any other key is wrong. */
async function checkTlsFiles(file: ParsedFile, needsKey: boolean): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, other] of tlsFiles) {
    const path = ['grpc', name];
    const value = valueAt(file.value, path);
    if (value === undefined && valueAt(file.value, ['grpc', other]) !== undefined) {
      problems.push(describeProblem(file, path, `a PEM file, because ${other} is set`, value));
    }
    if (typeof value !== 'string' || (name === 'tls_key_file' && !needsKey)) continue;
    if (!(await isReadableFile(resolve(dirname(file.path), value)))) {
      problems.push(describeProblem(file, path, 'a PEM file that exists and is readable', value));
    }
  }
  return problems;
}

/** The key is required: behind a proxy the service cannot know what callers dial, and calls can lie. */
function checkPublicUrl(file: ParsedFile): string[] {
  const path = ['grpc', 'public_url'];
  const value = valueAt(file.value, path);
  const isRequired = valueAt(file.value, ['grpc', 'require_web_id_proof']) === true;
  if (!isRequired || (value !== undefined && value !== null)) return [];
  const expected = 'the address that callers dial, because require_web_id_proof is set';
  return [describeProblem(file, path, expected, value)];
}

const tlsFiles = [
  ['tls_cert_file', 'tls_key_file'],
  ['tls_key_file', 'tls_cert_file'],
] as const;

async function isReadableFile(path: string): Promise<boolean> {
  const readable = access(path, constants.R_OK).then(() => stat(path));
  return (await readable.catch(() => null))?.isFile() === true;
}
