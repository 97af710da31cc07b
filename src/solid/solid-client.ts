/** One logged-in connection to a storage server; everything above it speaks through this. */
export interface SolidClient {
  /**
   * Resolves with whatever the server answered, 2xx to 4xx and 501. No answer after the
   * retries (connection, timeout, other 5xx, 429), an address outside the allowed origins, an answer
   * that is too large or a failed login reject with a ServerError; an abort rejects with
   * the signal's reason.
   */
  request(url: string, options?: SolidRequest): Promise<SolidAnswer>;
  close(): Promise<void>;
}

/** The token of a Solid-OIDC login and a DPoP proof by its holder, as header values. */
export interface WebIdProof {
  /** `DPoP <token>` */
  authorization: string;
  dpop: string;
}

/** A login that can show to a third party whose it is. */
export interface WebIdHolder {
  /** For one POST to the address. */
  proveWebId(url: string, signal?: AbortSignal): Promise<WebIdProof>;
}

export interface HttpSolidClient extends SolidClient, WebIdHolder {
  /** Logs in, unless a good token is at hand. Without credentials there is nothing to do. */
  login(signal?: AbortSignal): Promise<void>;
}

export type SolidMethod = 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';

export interface SolidRequest {
  method?: SolidMethod;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal | undefined;
  maxBytes?: number;
  /** A large body keeps its room until its reader calls `release`. */
  holdsBody?: boolean;
  /** May be repeated when no answer came. Default: GET, HEAD, PUT and DELETE. */
  idempotent?: boolean;
}

export interface SolidAnswer {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: Buffer;
  /** Where the answer came from, after redirects. */
  url: string;
  /** To be called when a large body that was asked for with `holdsBody` has been made use of. */
  release?: () => void;
}
