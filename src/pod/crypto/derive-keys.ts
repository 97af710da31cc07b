import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';

export type KeyVersion = 1 | 2;

export interface DerivedKeys {
  masterKey: Buffer;
  verification: string;
}

/** Derives the keys as the client app does: version 2 with a salt, the legacy version 1 without. */
export function deriveKeys(securityKey: string, salt: Buffer | null): Promise<DerivedKeys> {
  return salt === null
    ? Promise.resolve(deriveVersion1(securityKey))
    : deriveVersion2(securityKey, salt);
}

async function deriveVersion2(securityKey: string, salt: Buffer): Promise<DerivedKeys> {
  // The package's default is Argon2id, version 0x13.
  const secret = await hashRaw(securityKey, {
    salt,
    memoryCost: 10_000,
    timeCost: 1,
    parallelism: 4,
    outputLen: 32,
  });
  const expand = (info: string) => Buffer.from(hkdfSync('sha256', secret, salt, info, 32));
  const masterKey = expand('solidpod/v2/master-key');
  const verification = expand('solidpod/v2/verification').toString('base64');
  secret.fill(0);
  return { masterKey, verification };
}

function deriveVersion1(securityKey: string): DerivedKeys {
  const digest = (algorithm: string) =>
    createHash(algorithm).update(securityKey, 'utf8').digest('hex').slice(0, 32);
  return { masterKey: Buffer.from(digest('sha256'), 'utf8'), verification: digest('sha224') };
}

export function isSameVerification(one: string, other: string): boolean {
  // Compares digests of equal length, so that the time taken does not reveal even the length.
  const digest = (text: string) => createHash('sha256').update(text.trim(), 'utf8').digest();
  return timingSafeEqual(digest(one), digest(other));
}
