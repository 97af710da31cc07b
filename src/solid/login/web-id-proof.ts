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
