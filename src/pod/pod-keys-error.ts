import { AnalyserError } from '../base/errors.js';

type PodKeysProblem =
  /** The Pod has no keys yet. */
  | 'not-initialised'
  | 'wrong-security-key'
  /** The Pod has keys already, and keys are never replaced. */
  | 'already-initialised'
  /** The security key is right, but the private key does not open with it. */
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
