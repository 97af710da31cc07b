import type { Metadata } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { ConcurrencyLimit } from '../base/concurrency-limit.js';
import { AnalyserError, ServerError } from '../base/errors.js';
import { CallError } from './call-error.js';

/** What finds out whose login a proof is; the same rules as those of a Solid server. */
export interface ProofVerifier {
  /**
   * The WebID proved for a POST to the address. Rejects with an AnalyserError of kind `call`
   * when none is, with a ServerError when that cannot be found out now.
   */
  verify(proof: { authorization: string; dpop: string }, url: string): Promise<string>;
}

const names = { authorization: 'x-solid-authorization', dpop: 'x-solid-dpop' };

/** The proof of a caller that it is the WebID it names, where grpc.require_web_id_proof asks for it. */
export class CallerProof {
  readonly #checks: ConcurrencyLimit;

  constructor(
    private readonly verifier: ProofVerifier,
    /** An origin: what a client dials is what it makes a proof for. */
    private readonly publicUrl: string,
    /** So many are checked at once; the others wait for their check. */
    atOnce: number,
  ) {
    this.#checks = new ConcurrencyLimit(atOnce);
  }

  /** Rejects with a CallError, or with a ServerError when nobody can tell. */
  async require(metadata: Metadata, webId: string, path: string): Promise<void> {
    const authorization = takeOnly(metadata, names.authorization);
    const dpop = takeOnly(metadata, names.dpop);
    const proved = await this.#checks
      .run(() => this.verifier.verify({ authorization, dpop }, this.publicUrl + path))
      .catch((error: unknown) => {
        const isAnswer = error instanceof AnalyserError && !(error instanceof ServerError);
        throw isAnswer ? unproved(error.message) : error;
      });
    if (proved !== webId) throw unproved('The proof is that of another WebID than web_id.');
  }
}

/** Takes it out, too: a call is kept while it waits, and a token must not be kept with it. */
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
  return new CallError(message, status.UNAUTHENTICATED);
}
