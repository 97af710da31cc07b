import { messageOf } from '../base/errors.js';
import { requireWebId, type WebId } from '../pod/addresses.js';
import { ClientError } from './client-error.js';

export function invalidInput(field: string, reason: string, cause?: unknown): ClientError {
  return new ClientError('invalid-input', `${field}: ${reason}.`, { field, cause });
}

export function webIdInput(given: string, field: string): WebId {
  try {
    return requireWebId(given);
  } catch (cause) {
    throw new ClientError('invalid-input', messageOf(cause), { field, cause });
  }
}

export function urlInput(given: string, field: string): string {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given;
  const expected = 'expected an address that begins with http:// or https://';
  throw invalidInput(field, `${expected}, got "${given.slice(0, 200)}"`);
}
