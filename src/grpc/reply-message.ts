import { AnalyserError, type ErrorKind, ServerError, type ServerFailure } from '../base/errors.js';

const unreachable = 'The storage server could not be reached. Try again later.';
const refused =
  'The storage server refused something that the analysis cannot do without. ' +
  'The log of the service says what.';
const internal = 'The analysis failed inside the service. The log of the service says why.';

const ofFailure: Record<ServerFailure, string> = {
  unreachable,
  slow: 'The storage server did not answer in time. Try again later.',
  unavailable: 'The storage server is overloaded or out of order. Try again later.',
  login:
    'The storage server refused the login of the Analyser: its credentials have expired or ' +
    'were revoked. The next call logs in afresh.',
  'too-large': refused,
  'forbidden-address': refused,
  refused,
};

const ofKind: Record<Exclude<ErrorKind, 'server' | 'cancelled' | 'timeout'>, string> = {
  configuration: 'The service is not configured correctly. The log of the service says why.',
  keys:
    'The Analyser Pod could not be unlocked. Its operator has to check the security key and ' +
    'the encryption keys in the Pod.',
  malformed:
    'A document that the analysis cannot do without is damaged. ' +
    'The log of the service says which.',
  disk: 'The service could not write to its own disk. The log of the service says why.',
  call: internal,
};

/**
 * What a caller may be told of a failure. The message of an error can name the Pod of
 * somebody else, so it goes to the log; here every kind has one sentence of its own.
 */
export function failureSentence(error: unknown): string {
  if (!(error instanceof AnalyserError)) return internal;
  if (error instanceof ServerError) return ofFailure[error.failure];
  switch (error.kind) {
    case 'cancelled':
    case 'timeout':
      // Written by RunControl.
      return error.message;
    case 'server':
      return unreachable;
    default:
      return ofKind[error.kind];
  }
}

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

/** Why the service is not ready: connecting concerns the Analyser alone, so its cause may be told. */
export function notReadyReason(error: unknown, own: OwnAddresses): string {
  return error instanceof AnalyserError
    ? withoutForeignAddresses(error.message, own)
    : 'The service failed to get ready. The log of the service says why.';
}
