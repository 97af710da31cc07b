/** The token of a Solid-OIDC login and a DPoP proof by its holder, as header values. */
export interface WebIdProof {
  /** `DPoP <token>` */
  authorization: string;
  dpop: string;
}
