import type { Metadata } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { AnalyserError, ServerError } from '../base/errors.js';
import type { WebIdVerifier } from '../solid/login/web-id-verifier.js';
import { CallError } from './call-error.js';

export type ProofVerifier = Pick<WebIdVerifier, 'verify'>;

const names = { authorization: 'x-solid-authorization', dpop: 'x-solid-dpop' };

/** Requires callers to prove the WebID that they name; used with grpc.require_web_id_proof. */
export class CallerProof {
  constructor(
    private readonly verifier: ProofVerifier,
    /** The origin that clients dial, and for which they make their proofs. */
    private readonly publicUrl: string,
  ) {}

  /** Rejects with a CallError, or with a ServerError when the proof cannot be checked now. */
  async require(metadata: Metadata, webId: string, path: string): Promise<void> {
    const authorization = takeOnly(metadata, names.authorization);
    const dpop = takeOnly(metadata, names.dpop);
    const proved = await this.verifier
      .verify({ authorization, dpop }, this.publicUrl + path)
      .catch((error: unknown) => {
        const isAnswer = error instanceof AnalyserError && !(error instanceof ServerError);
        throw isAnswer ? unproved(error.message) : error;
      });
    if (proved !== webId) throw unproved('The proof is for another WebID than web_id.');
  }
}

/** Also removes the value, so that no token stays in memory while the call waits. */
function takeOnly(metadata: Metadata, name: string): string {
  const [value, ...more] = metadata.get(name);
  metadata.remove(name);
  if (typeof value === 'string' && more.length === 0) return value;
  throw unproved(
    'This service asks its callers to prove their WebID: ' +
      `the call must carry the metadata ${names.authorization} and ${names.dpop}, each once.`,
  );
}

function unproved(message: string): CallError {
  return new CallError(message, status.UNAUTHENTICATED, 'proof-rejected');
}
