/** Undefined for what is no JSON: whatever lies in Redis, reading it ends nothing. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
