const SHAPE = /^[A-Za-z0-9+/]*={0,2}$/;

/** Null for invalid text, whose wrong characters Buffer.from would skip. */
export function decodeBase64(text: string): Buffer | null {
  const trimmed = text.trim();
  if (trimmed.length % 4 !== 0 || !SHAPE.test(trimmed)) return null;
  return Buffer.from(trimmed, 'base64');
}
