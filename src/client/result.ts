import { setTimeout as pause } from 'node:timers/promises';
import { AnalyserError, ServerError } from '../base/errors.js';
import { parseJson } from '../base/parse-json.js';
import { type PodAverageDocument, podAverageSchema } from '../documents/published-document.js';
import { podDocuments, publishedAddress } from '../pod/addresses.js';
import { podIds } from '../pod/owner.js';
import { readSharedWithMe, SharedKeyError } from '../pod/sharing/read-shared-with-me.js';
import { ClientError } from './client-error.js';
import { webIdInput } from './inputs.js';
import type { OwnPod } from './own-pod.js';
import { translateErrors, workOn } from './translate-errors.js';

export interface ResultSource {
  analyserWebId: string;
  /** Where the service publishes (its sharing.results_dir); default: analyser. */
  resultsDir?: string | undefined;
}

const ATTEMPTS = 3;
const PAUSE_MS = 1_500;

/** The real one can differ if the operator allows servers with similar names: the reply has it as `result_url`. */
export function resultAddress(
  { pod }: { pod: Pick<OwnPod['pod'], 'root' | 'appDir'> },
  { analyserWebId, resultsDir = 'analyser' }: ResultSource,
): string {
  const { root } = webIdInput(analyserWebId, 'analyserWebId');
  const documents = podDocuments(root, pod.appDir);
  const podId = podIds(root, [root, pod.root])(pod.root);
  return publishedAddress(documents, resultsDir, podId, 'bp-average.json.enc.ttl');
}

export function readResult(
  ownPod: OwnPod,
  source: ResultSource,
  signal?: AbortSignal,
): Promise<PodAverageDocument> {
  return workOn(ownPod, signal, (ownPod) => fetchResult(ownPod, source));
}

async function fetchResult(ownPod: OwnPod, source: ResultSource): Promise<PodAverageDocument> {
  const url = resultAddress(ownPod, source);
  const parsed = podAverageSchema.safeParse(parseJson(await openResult(ownPod, url)));
  if (parsed.success && parsed.data.analyser_web_id === source.analyserWebId) return parsed.data;
  throw new AnalyserError('malformed', `${url} is not a result of ${source.analyserWebId}.`);
}

/** The result of one run, or a newer one, since another call replaces it. What is not there yet is fetched again. */
export async function collectResult(
  ownPod: OwnPod,
  source: ResultSource,
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
      return requireNotBefore(await readResult(ownPod, source, signal), generatedAt);
    } catch (error) {
      if (attempt === ATTEMPTS || !isWorthAnotherTry(error)) throw error;
    }
    await translateErrors(signal, () => pause(PAUSE_MS, undefined, { signal }));
  }
}

function requireNotBefore(result: PodAverageDocument, generatedAt: string): PodAverageDocument {
  if (Date.parse(result.generated_at) >= Date.parse(generatedAt)) return result;
  throw new ClientError(
    'stale-result',
    `There is the result of ${result.generated_at}, not that of ${generatedAt}. Read it again in a moment.`,
  );
}

/** The document or its key may still be on the way. */
function isWorthAnotherTry(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  return !['aborted', 'closed'].includes(error.code);
}

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
      const message = `There is no result at ${url} that ${pod.webId} may read (HTTP ${status}): no analysis has made one, or the operator has erased it.`;
      throw new ClientError('no-result', message, { cause: error });
    }
    throw error;
  }
}
