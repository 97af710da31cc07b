const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A picture of one pixel; what stands behind it tells one from another. */
export function samplePicture(content = ''): Buffer {
  return Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.from(content)]);
}
