import { randomBytes } from 'node:crypto';
import { AnalyserError } from '../../base/errors.js';
import type { FoundSecrets } from '../../config/secrets.js';

const SHORTEST_KEY = 10;
const FEWEST_CHARACTERS = 5;

export interface KnownPod {
  webId: string;
  /** Whether the Pod has no security key yet. */
  isNew: boolean;
}

export interface KeyOptions {
  /** Null to take that of the configuration, or to call `askSecurityKey`. */
  securityKey: string | null;
  /** Called for a Pod whose key is not known; a blank result generates one for a new Pod. */
  askSecurityKey: (isNewPod: boolean) => Promise<string>;
  /** A security key that equals one of the following is refused. */
  email: string;
  password: string;
  podName: string;
}

/** Returns the given key, that of the configuration, a typed one or, for a new Pod, a generated one. */
export async function chooseKey(
  wishes: KeyOptions,
  kept: string | null,
  { webId, isNew }: KnownPod,
): Promise<{ securityKey: string; isGenerated: boolean }> {
  const known = wishes.securityKey ?? kept ?? (await wishes.askSecurityKey(isNew));
  if (known !== '') {
    if (isNew) refuseWeakKey(known, wishes);
    return { securityKey: known, isGenerated: false };
  }
  if (isNew) {
    return { securityKey: randomBytes(24).toString('base64url'), isGenerated: true };
  }
  throw new AnalyserError(
    'keys',
    `${webId} is initialised already: give the security key that was chosen then as APP_ANALYSER_SECURITY_KEY.`,
  );
}

export function refuseWeakKey(
  key: string,
  names: Pick<KeyOptions, 'email' | 'password' | 'podName'>,
): void {
  const weakness = weaknessOf(key, names);
  if (weakness === null) return;
  throw new AnalyserError(
    'configuration',
    `The security key ${weakness}. Whoever gets hold of the storage can try keys without end: choose another, or leave it out and have one generated.`,
  );
}

/** Completes "The security key …"; null for a key that is strong enough. */
function weaknessOf(
  key: string,
  { email, password, podName }: Pick<KeyOptions, 'email' | 'password' | 'podName'>,
): string | null {
  if (key.length < SHORTEST_KEY) return `is shorter than ${SHORTEST_KEY} characters`;
  if (new Set(key).size < FEWEST_CHARACTERS) {
    return `consists of fewer than ${FEWEST_CHARACTERS} different characters`;
  }
  const plain = key.toLowerCase();
  if (plain === password.toLowerCase())
    return 'is the password of the account, which the server sees';
  if ([email, podName].some((name) => plain === name.toLowerCase())) {
    return 'is a name that everybody can know';
  }
  return null;
}

/** Keeps a token that callers have; makes one only for a configuration that was never in use. */
export function chooseToken(
  wanted: { grpcToken: string | null; makesToken: boolean },
  found: FoundSecrets | null,
): { grpcToken: string | null; isGenerated: boolean } {
  const known = wanted.grpcToken ?? found?.grpcToken?.value ?? null;
  if (known !== null || !wanted.makesToken || found?.clientId) {
    return { grpcToken: known, isGenerated: false };
  }
  return { grpcToken: randomBytes(24).toString('base64url'), isGenerated: true };
}
