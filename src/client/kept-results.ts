import { mapConcurrently } from '../base/concurrency.js';
import { AnalyserError, messageOf } from '../base/errors.js';
import { parseJson } from '../base/parse-json.js';
import { type PodAverageDocument, podAverageSchema } from '../documents/published-document.js';
import { decodeText, decryptContent } from '../pod/crypto/content-cipher.js';
import { parseEncryptedResource } from '../pod/documents/encrypted-resource.js';
import { findResourceKeys } from '../pod/resource-keys.js';
import { writeEncryptedResources } from '../pod/write-encrypted-resource.js';
import { listContainer } from '../solid/documents/container.js';
import { requireSuccess } from '../solid/require-success.js';
import type { OwnPod } from './own-pod.js';
import { workOn } from './translate-errors.js';

/** A result that the user has kept, in an encrypted file of its own. */
export interface KeptResult {
  url: string;
  /** Null when the file could not be read; `problem` says why. */
  result: PodAverageDocument | null;
  problem: string;
}

const READ_AT_ONCE = 16;

/**
 * This folder lies outside the folder of the readings, so that a share of that folder does not include the results.
 */
function resultsFolder({ pod }: OwnPod): string {
  return `${pod.documents.app}data/analysis/`;
}

/**
 * Keeps a result in the user's own Pod, because the service publishes only the last one. If the result is kept already,
 * nothing changes. Returns the address of the kept result.
 */
export function keepResult(
  ownPod: OwnPod,
  result: PodAverageDocument,
  signal?: AbortSignal,
): Promise<string> {
  return workOn(ownPod, signal, async (ownPod) => {
    const time = new Date(result.generated_at).toISOString().replaceAll(':', '-');
    const url = `${resultsFolder(ownPod)}bp-average_${time}.json.enc.ttl`;
    if (!(await listUrls(ownPod)).includes(url)) {
      const content = JSON.stringify(result);
      await writeEncryptedResources(ownPod.client, ownPod.pod, [{ url, content }]);
    }
    return url;
  });
}

/** The kept results, the newest first; a file that cannot be read comes with the reason. */
export function listResults(ownPod: OwnPod, signal?: AbortSignal): Promise<KeptResult[]> {
  return workOn(ownPod, signal, async (ownPod) => {
    const { client, pod } = ownPod;
    const urls = (await listUrls(ownPod)).sort().reverse();
    const keys = await findResourceKeys(client, pod, urls);
    return await mapConcurrently(urls, READ_AT_ONCE, async (url) => {
      const answer = await client.request(url, { headers: { accept: '*/*' } });
      try {
        const { body } = requireSuccess(answer, 'read');
        const result = parseResult(openWith(keys.get(url), body, url));
        return { url, result, problem: result === null ? 'it holds no result' : '' };
      } catch (error) {
        return { url, result: null, problem: messageOf(error) };
      }
    });
  });
}

function openWith(key: Buffer | undefined, body: Buffer, url: string): string {
  const { content } = parseEncryptedResource(body, url);
  const opened = key === undefined ? null : decryptContent(content, key);
  const text = opened === null ? null : decodeText(opened);
  if (text === null)
    throw new AnalyserError('malformed', 'it does not open with a key of your Pod');
  return text;
}

function parseResult(text: string): PodAverageDocument | null {
  const parsed = podAverageSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}

async function listUrls(ownPod: OwnPod): Promise<string[]> {
  const members = (await listContainer(ownPod.client, resultsFolder(ownPod))) ?? [];
  return members.filter((url) => url.endsWith('.enc.ttl'));
}
