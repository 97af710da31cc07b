import type { Config } from '../../config/schema.js';
import { type Finding, notice } from './finding.js';

/** What may be right on a closed network, but should be known. */
export function judgeOpenPort(
  { host, port, require_web_id_proof }: Config['grpc'],
  hasToken: boolean,
): Finding[] {
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (hasToken || isLocal || require_web_id_proof) return [];
  return [
    notice(
      `Whoever reaches ${host}:${port} can ask for analyses: set grpc.token (APP_ANALYSER_GRPC_TOKEN), and grpc.tls_cert_file where the network is not closed.`,
    ),
  ];
}
