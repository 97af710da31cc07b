import { originsOf } from '../../config/allowed-origins.js';
import type { Config } from '../../config/schema.js';
import { parseWebId, podDocuments } from '../../pod/addresses.js';
import { createSolidClient } from '../../solid/http-solid-client.js';
import type { Finding } from './finding.js';
import { judgeClock, judgePublicKey } from './judgements.js';

/** One try without waiting, since the login tells whether the server answers at all. */
const patience = {
  retry: { tries: 1, slowTries: 1 },
  timeouts: { connectMs: 5000, answerMs: 10_000, totalMs: 15_000 },
};

/** Looks at the storage server without a login; finds nothing where that is away. */
export async function examineAsAnybody({
  analyser,
  data,
}: Config): Promise<{ clock: Finding[]; publicKey: Finding[] }> {
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
    return {
      clock: judgeClock(headers['date'], new Date()),
      publicKey: judgePublicKey(url, status),
    };
  } catch {
    return { clock: [], publicKey: [] };
  } finally {
    await client.close();
  }
}
