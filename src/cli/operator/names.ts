import { loadApiConfig } from '../../config/load-config.js';
import { PodNames } from '../../http/pod-names.js';
import { openServedFiles } from '../../http/served-files.js';
import { openNameKey } from '../../store/name-key.js';
import type { ModeContext } from '../mode.js';

/**
 * Prints the name of each Pod of the stored analyses, with its pod_id and WebID. Makes the key of the names if there
 * is none yet.
 */
export async function printNames(
  context: ModeContext,
  { json = false }: { json?: boolean },
): Promise<void> {
  const { print, printJson, printError } = context;
  const { api, output, warnings } = await loadApiConfig(context);
  for (const warning of warnings) printError(`Warning: ${warning}`, 'careful');
  const names = new PodNames(await openNameKey(output.state_dir));
  const { results, analyses } = openServedFiles(output);
  const latest = await results.readLatest();
  const pods = latest.state === 'found' ? latest.document.pods : [];
  const webIds = new Map(pods.map(({ pod_id, web_id }) => [pod_id, web_id]));
  const { courses } = await analyses.courses();
  const rows = [...new Set([...webIds.keys(), ...courses.keys()])].sort().map((pod_id) => ({
    name: names.nameOf(pod_id),
    pod_id,
    // A Pod that has left is known from summaries only, which hold its pod_id and no WebID.
    web_id: webIds.get(pod_id) ?? null,
  }));
  if (json) printJson(rows);
  else
    for (const { name, pod_id, web_id } of rows)
      print([name, pod_id, web_id ?? ''].join('  ').trimEnd());
  if (rows.length === 0) printError('No analysis is stored yet, so there is nobody to name.');
  if (api.names) printError('api.names is true: the API and the page show addresses.');
}
