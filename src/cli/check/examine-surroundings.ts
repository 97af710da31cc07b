import { originsOf } from '../../config/allowed-origins.js';
import type { Config, Secrets } from '../../config/schema.js';
import { warnOfPort } from '../../config/warnings.js';
import { parseWebId, podDocuments } from '../../pod/addresses.js';
import { createSolidClient } from '../../solid/http-solid-client.js';
import { examineCertificate } from './certificate.js';
import { type Finding, notice } from './finding.js';
import { examineFolders } from './folders.js';
import { judgeClock, judgePublicKey } from './judgements.js';

/** One try without waiting, since the login has shown whether the server answers at all. */
const patience = {
  retry: { tries: 1, slowTries: 1 },
  timeouts: { connectMs: 5000, answerMs: 10_000, totalMs: 15_000 },
};

/** Looks at this machine, and at the storage server without a login; writes nothing. */
export async function examineSurroundings(
  config: Config,
  { grpcToken }: Secrets,
): Promise<Finding[]> {
  const findings = await Promise.all([
    examineFolders(config.output),
    examineCertificate(config.grpc, new Date()),
    // The login has already reported a server that is away.
    examineAsAnybody(config).catch(() => []),
  ]);
  return [...findings.flat(), ...warnOfPort(config.grpc, grpcToken !== null).flatMap(notice)];
}

async function examineAsAnybody({ analyser, data }: Config): Promise<Finding[]> {
  const client = createSolidClient({
    serverUrl: analyser.server_url,
    allowedOrigins: originsOf(data),
    credentials: null,
    ...patience,
  });
  try {
    const root = parseWebId(analyser.web_id)?.root ?? analyser.server_url;
    const url = podDocuments(root, analyser.app_dir_name).publicKey;
    const { status, headers } = await client.request(url);
    return [...judgePublicKey(url, status), ...judgeClock(headers['date'], new Date())];
  } finally {
    await client.close();
  }
}
