const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined for a text that is not JSON. */
export function parseJson(text: string | Buffer): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : utf8.decode(text));
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
