/** "1 Pod", "2 Pods". */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A sentence without its full stop, so that the text can go on after it. */
export function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
