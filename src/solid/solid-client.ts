/** One logged-in connection to a storage server; everything above it speaks through this. */
export interface SolidClient {
  /**
   * Resolves with the server's answer, 2xx to 4xx, 501 or 507. Rejects with a ServerError when there
   * is none after the retries (connection, timeout, other 5xx, 429), when the address is outside the
   * allowed origins, the answer too large or the login failed; an abort rejects with its reason.
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

/** A login that can prove its WebID to a third party. */
export interface WebIdHolder {
  /** Makes a proof for one POST to the address. */
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
  /** Whether the request may be repeated without an answer; default: GET, HEAD, PUT and DELETE. */
  idempotent?: boolean;
  /** The most tries when there is no answer; "not now" is none. Default: by the rules of the client. */
  tries?: number | undefined;
}

export interface SolidAnswer {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Large ones are made use of at once, so that few are in memory at a time. */
  body: Buffer;
  /** Where the answer came from, after redirects. */
  url: string;
}
