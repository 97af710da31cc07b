import { z } from 'zod';
import { messageOf } from '../base/errors.js';
import { requireWebId, type WebId } from '../pod/addresses.js';
import { ClientError } from './client-error.js';

export const text = z.string({ error: 'expected text' });

export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, { error: `expected an object with ${Object.keys(shape).join(', ')}` });
}

/**
 * Checks what the app has passed, since an app in JavaScript has no compiler that would. The error names the field, or
 * the whole value by `name`.
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') || name;
  throw invalidInput(field, issue?.message ?? 'expected another value');
}

export function invalidInput(field: string, reason: string, cause?: unknown): ClientError {
  return new ClientError('invalid-input', `${field}: ${reason}.`, { field, cause });
}

export function webIdInput(value: unknown, field: string): WebId {
  const given = checked(text, value, field);
  try {
    return requireWebId(given);
  } catch (cause) {
    throw new ClientError('invalid-input', messageOf(cause), { field, cause });
  }
}

export function urlInput(value: unknown, field: string): string {
  const given = checked(text, value, field);
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given;
  const expected = 'expected an address that begins with http:// or https://';
  throw invalidInput(field, `${expected}, got "${given.slice(0, 200)}"`);
}
