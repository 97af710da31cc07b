import { AnalyserError } from '../base/errors.js';

type PodKeysProblem =
  /** The Pod has no keys yet. */
  | 'not-initialised'
  | 'wrong-security-key'
  /** The Pod has keys already, and keys are never replaced. */
  | 'already-initialised'
  /** The document of the keys is damaged, or its private key does not open with the right security key. */
  | 'damaged';

export class PodKeysError extends AnalyserError {
  override readonly name = 'PodKeysError';

  constructor(
    readonly problem: PodKeysProblem,
    message: string,
  ) {
    super('keys', message);
  }
}
