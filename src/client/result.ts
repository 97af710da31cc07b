import { setTimeout as pause } from 'node:timers/promises';
import { AnalyserError, ServerError } from '../base/errors.js';
import { parseJson } from '../base/parse-json.js';
import { type PodAverageDocument, podAverageSchema } from '../documents/published-document.js';
import { podDocuments, podIdOfRoot, publishedAddress, requireWebId } from '../pod/addresses.js';
import { readSharedWithMe, SharedKeyError } from '../pod/sharing/read-shared-with-me.js';
import { ClientError } from './client-error.js';
import type { OwnPod } from './own-pod.js';
import { translateErrors, workOn } from './translate-errors.js';

export interface ResultPlace {
  analyserWebId: string;
  /** Where the service publishes (its sharing.results_dir); default: analyser. */
  resultsDir?: string | undefined;
}

const ATTEMPTS = 3;
const PAUSE_MS = 1_500;

/** The address of the caller's own result, which follows from the WebID. */
export function resultAddress(
  { pod }: OwnPod,
  { analyserWebId, resultsDir = 'analyser' }: ResultPlace,
): string {
  const documents = podDocuments(requireWebId(analyserWebId).root, pod.appDir);
  const podId = podIdOfRoot(pod.root);
  return publishedAddress(documents, resultsDir, podId, 'bp-average.json.enc.ttl');
}

/** Reads the last result that was published for the user, of any run. */
export function readResult(
  ownPod: OwnPod,
  place: ResultPlace,
  signal?: AbortSignal,
): Promise<PodAverageDocument> {
  return workOn(ownPod, signal, async (ownPod) => {
    const url = resultAddress(ownPod, place);
    const text = await openResult(ownPod, url);
    const parsed = podAverageSchema.safeParse(parseJson(text));
    if (!parsed.success || parsed.data.analyser_web_id !== place.analyserWebId) {
      throw new AnalyserError('malformed', `${url} is not a result of ${place.analyserWebId}.`);
    }
    return parsed.data;
  });
}

/**
 * Reads the result of one run, recognised by the generated_at of the reply. A result that is not
 * there yet, or belongs to an earlier run, is fetched again.
 */
export async function collectResult(
  ownPod: OwnPod,
  place: ResultPlace,
  generatedAt: string,
  options: {
    onAttempt?: ((attempt: number) => void) | undefined;
    signal?: AbortSignal | undefined;
  } = {},
): Promise<PodAverageDocument> {
  const { onAttempt, signal } = options;
  for (let attempt = 1; true; attempt += 1) {
    onAttempt?.(attempt);
    try {
      const result = await readResult(ownPod, place, signal);
      if (result.generated_at === generatedAt) return result;
      throw new ClientError(
        'stale-result',
        `${resultAddress(ownPod, place)} still holds the result of ${result.generated_at}, not that of ${generatedAt}. ` +
          'Read it again in a moment.',
      );
    } catch (error) {
      if (attempt === ATTEMPTS || !isWorthAnotherTry(error)) throw error;
    }
    await translateErrors(signal, () => pause(PAUSE_MS, undefined, { signal }));
  }
}

/** The document or its key may still be on the way. */
function isWorthAnotherTry(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  return error.code !== 'aborted' && error.code !== 'closed';
}

/** The picture of a result; null when the service draws none. */
export function chartOf({ chart }: PodAverageDocument): Buffer | null {
  return chart === undefined ? null : Buffer.from(chart.data, 'base64');
}

async function openResult({ client, pod }: OwnPod, url: string): Promise<string> {
  try {
    return (await readSharedWithMe(client, pod, url)).text;
  } catch (error) {
    if (error instanceof SharedKeyError) {
      const code = error.problem === 'missing' ? 'key-missing' : 'wrong-key';
      throw new ClientError(code, error.message, { cause: error });
    }
    if (error instanceof ServerError && error.failure === 'refused') {
      const { status } = error.details;
      const message = `There is no result at ${url} that ${pod.webId} may read (HTTP ${status}): ask for an analysis first.`;
      throw new ClientError('no-result', message, { cause: error });
    }
    throw error;
  }
}
