/** By its signature a picture. */
export function samplePicture(content = ''): Buffer {
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(content)]);
}
