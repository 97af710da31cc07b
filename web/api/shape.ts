/** Checks what the API answers while the program runs; types follow from the checks. */
export type Guard<T> = (value: unknown) => value is T;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isString: Guard<string> = (value) => typeof value === 'string';
export const isNumber: Guard<number> = (value): value is number =>
  typeof value === 'number' && Number.isFinite(value);
export const isBoolean: Guard<boolean> = (value) => typeof value === 'boolean';

export function literal<const T extends string | number>(...allowed: T[]): Guard<T> {
  return (value): value is T => allowed.some((item) => item === value);
}

export function nullable<T>(guard: Guard<T>): Guard<T | null> {
  return (value): value is T | null => value === null || guard(value);
}

export function optional<T>(guard: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || guard(value);
}

export function arrayOf<T>(guard: Guard<T>): Guard<T[]> {
  return (value): value is T[] =>
    Array.isArray(value) && value.every((item: unknown) => guard(item));
}

export function recordOf<T>(guard: Guard<T>): Guard<Record<string, T>> {
  return (value): value is Record<string, T> =>
    isRecord(value) && Object.values(value).every((item) => guard(item));
}

/** One guard per field of T; fields beyond T are let through. */
export function shape<T extends object>(guards: { [K in keyof T]-?: Guard<T[K]> }): Guard<T> {
  return (value): value is T => {
    if (!isRecord(value)) return false;
    for (const key in guards) if (!guards[key](value[key])) return false;
    return true;
  };
}
