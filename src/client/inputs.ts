import { messageOf } from '../base/errors.js';
import { requireWebId, type WebId } from '../pod/addresses.js';
import { ClientError } from './client-error.js';

/** Returns the value that the app has passed, or throws an error that names the wrong value. */
export function webIdInput(text: string, field: string): WebId {
  try {
    return requireWebId(text);
  } catch (cause) {
    throw new ClientError('invalid-input', messageOf(cause), { field, cause });
  }
}

export function urlInput(text: string, field: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  const message = `${field}: expected an address that begins with http:// or https://, got "${text.slice(0, 200)}".`;
  throw new ClientError('invalid-input', message, { field });
}
