import { AnalyserError } from '../../base/errors.js';

const SHORTEST_KEY = 10;
const FEWEST_CHARACTERS = 5;

export interface KeyOptions {
  /** Null to take the key of the configuration or, if that has none, to call `askSecurityKey`. */
  securityKey: string | null;
  /**
   * Called when neither `securityKey` nor the configuration holds a key; the answer may be blank. `refuse` throws for
   * a weak key, before the user has to type it a second time.
   */
  askSecurityKey: (isNewPod: boolean, refuse: (key: string) => void) => Promise<string>;
  /** The security key of a new Pod must not equal `email`, `password` or `podName`, in upper or lower case. */
  email: string;
  password: string;
  podName: string;
}

/**
 * Returns a function that finds the security key: the given key, the key of the configuration, or a typed key. It asks
 * for the typed key at most once. The typed key may be blank. A weak key is refused for a new Pod.
 */
export function securityKeyChooser(
  options: KeyOptions,
  kept: string | null,
): (isNewPod: boolean) => Promise<string> {
  let known = options.securityKey ?? kept;
  const refuse = (key: string) => refuseWeak(key, options);
  return async (isNewPod) => {
    known ??= await options.askSecurityKey(isNewPod, refuse);
    if (isNewPod && known !== '') refuse(known);
    return known;
  };
}

function refuseWeak(key: string, options: KeyOptions): void {
  const weakness = weaknessOf(key, options);
  if (weakness === null) return;
  throw new AnalyserError(
    'configuration',
    `The security key ${weakness}. Anybody with a copy of the storage can try keys without end: choose another, or leave it out and have one generated.`,
  );
}

/** Completes "The security key …"; null for a key that is strong enough. */
function weaknessOf(key: string, { email, password, podName }: KeyOptions): string | null {
  if (key.length < SHORTEST_KEY) return `is shorter than ${SHORTEST_KEY} characters`;
  if (new Set(key).size < FEWEST_CHARACTERS) {
    return `consists of fewer than ${FEWEST_CHARACTERS} different characters`;
  }
  const plain = key.toLowerCase();
  if (plain === password.toLowerCase()) {
    return 'is the password of the account, which the server sees';
  }
  const isName = [email, podName].some((name) => plain === name.toLowerCase());
  return isName ? 'is a name that everybody can know' : null;
}
