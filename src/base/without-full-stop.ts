/** A sentence, to go on after it. */
export function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
