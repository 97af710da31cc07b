import type { OriginSet } from '../base/origin-set.js';

/** All other folders use this interface. */
export interface SolidClient {
  /**
   * Resolves with 2xx to 4xx, 501 or 507. Rejects with a ServerError when there is no answer after the retries, or
   * when the address, the size or the login is at fault; an abort rejects with its reason. A PUT that finds its
   * document there after a lost answer has succeeded. A POST and a write with a condition are sent once.
   */
  request(url: string, options?: SolidRequest): Promise<SolidAnswer>;
  /** The origins of the storage server: its own and, if the operator allows all of them, the hosts directly below. */
  readonly ownOrigins?: OriginSet;
  /** Ends requests that have no signal of their own, and the reading of what came. */
  readonly signal?: AbortSignal | undefined;
  close(): Promise<void>;
}

/** The token of a Solid-OIDC login and a DPoP proof by its holder, as header values. */
export interface WebIdProof {
  authorization: string;
  dpop: string;
}

export interface WebIdHolder {
  /** For one POST to the address. */
  proveWebId(url: string, signal?: AbortSignal): Promise<WebIdProof>;
}

export interface HttpSolidClient extends SolidClient, WebIdHolder {
  /** Logs in unless there is a valid token; does nothing without credentials. */
  login(signal?: AbortSignal): Promise<void>;
}

export type SolidMethod = 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';

export interface SolidRequest {
  method?: SolidMethod;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal | undefined;
  maxBytes?: number;
  /** The most tries when there is no answer. A "not now" (429, 503, or a 5xx with Retry-After) is not counted. */
  tries?: number | undefined;
  /** The longest pause before a further try, even if the server asks for more; default: by the rules of the client. */
  longestPauseMs?: number | undefined;
  /** How long the request may be on the wire, all tries together. The wait for a place or in a pause is not counted. */
  patienceMs?: number | undefined;
  /**
   * If true, the request takes none of the places of its server, so however long it hangs, it holds up no other. On the
   * storage server itself, where all Pods lie, a "not now" to it pauses no other either. Whoever asks so bounds how many
   * such requests there are.
   */
  isApart?: boolean;
}

export interface SolidAnswer {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Use a large body at once, so that few are in memory at a time. */
  body: Buffer;
  /** As it was asked for; redirects are not followed. */
  url: string;
}

/** The same client, except that what has no signal of its own ends with this signal. */
export function stoppedBy<Client extends SolidClient>(
  client: Client,
  signal: AbortSignal | undefined,
): Client {
  return {
    ...client,
    signal: signal ?? client.signal,
    request: (url, options) =>
      client.request(url, { ...options, signal: options?.signal ?? signal }),
  };
}
