import { dirname } from 'node:path';
import { AnalyserError } from '../base/errors.js';
import { type ConfigSource, readConfigFile } from './config-file.js';
import { describeIssues } from './problems.js';
import { configSchema, type WebProxyConfig, webProxySchema } from './schema.js';
import { absolute, checkTlsFiles } from './tls-files.js';
import { warnOfReadableSecrets, warnOfWebProxy } from './warnings.js';

/**
 * Loads the configuration of the proxy that translates gRPC-Web. The proxy runs without credentials, so other
 * sections are not checked, and no secret in them is kept.
 */
export async function loadWebProxyConfig(
  source: ConfigSource,
): Promise<WebProxyConfig & { warnings: string[] }> {
  const file = await readConfigFile(source);
  const parsed = webProxySchema.safeParse(file.value);
  const problems = [
    ...(parsed.success ? [] : describeIssues(file, configSchema, parsed.error)),
    ...(await checkTlsFiles(file, 'web_proxy')),
    ...(await checkTlsFiles(file, 'grpc', ['tls_cert_file'])),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new AnalyserError('configuration', problems);
  }
  const { web_proxy, grpc } = parsed.data;
  const folder = dirname(file.path);
  return {
    web_proxy: {
      ...web_proxy,
      tls_cert_file: absolute(web_proxy.tls_cert_file, folder),
      tls_key_file: absolute(web_proxy.tls_key_file, folder),
    },
    grpc: { ...grpc, tls_cert_file: absolute(grpc.tls_cert_file, folder) },
    warnings: [...(await warnOfReadableSecrets(file)), ...warnOfWebProxy(web_proxy)],
  };
}
