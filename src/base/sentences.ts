export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** One word of a command, to be pasted into a shell: what it says may come from a stranger. */
export function shellWord(text: string): string {
  return /^[\w./-][\w./:#-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A sentence without its full stop, so that the text can go on after it. */
export function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
