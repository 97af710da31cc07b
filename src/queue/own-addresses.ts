import { AnalyserError } from '../base/errors.js';
import { failureSentence } from './failure-sentence.js';

/** Where an address in a message may point to. */
export interface OwnAddresses {
  /** The WebIDs whose Pods may be named. */
  webIds: readonly string[];
  serverUrl: string;
}

const profile = 'profile/card#me';
const address = /\bhttps?:\/\/[^\s"'<>`]*[^\s"'<>`.,;:!?)\]]/gi;

/** The text with every address replaced that belongs to neither the caller nor the Analyser. */
export function withoutForeignAddresses(text: string, own: OwnAddresses): string {
  const server = own.serverUrl.replace(/\/*$/, '/');
  const roots = own.webIds
    .filter((id) => id.endsWith(profile))
    .map((id) => id.slice(0, -profile.length));
  const isOwn = (url: string): boolean =>
    `${url}/` === server ||
    url === server ||
    // The server's own endpoints: login, account, discovery.
    url.startsWith(`${server}.`) ||
    roots.some((root) => url.startsWith(root) || `${url}/` === root);
  return text.replace(address, (url) => (isOwn(url) ? url : 'another address'));
}

/**
 * Why the service is not ready: connecting concerns the Analyser alone, so its cause may be told;
 * but where the service keeps its files is nobody's business.
 */
export function notReadyReason(error: unknown, own: OwnAddresses): string {
  if (error instanceof AnalyserError && error.kind === 'disk') return failureSentence(error);
  return error instanceof AnalyserError
    ? withoutForeignAddresses(error.message, own)
    : 'The service failed to get ready. The log of the service says why.';
}
