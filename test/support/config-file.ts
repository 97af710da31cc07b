import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { InitialisedPod } from './initialised-pod.js';

/** config.yaml with all that the Analyser needs, secrets included; other sections as given. */
export function writeConfigFile(
  folder: string,
  { account, securityKey }: Pick<InitialisedPod, 'account' | 'securityKey'>,
  sections: Record<string, object> = {},
): Promise<void> {
  const { webId, clientId, clientSecret } = account;
  const analyser = {
    web_id: webId,
    security_key: securityKey,
    credentials: { client_id: clientId, client_secret: clientSecret },
  };
  const text = stringify({ analyser, ...sections });
  return writeFile(join(folder, 'config.yaml'), text, { mode: 0o600 });
}
