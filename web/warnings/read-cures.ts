/** What to do about a warning. */
export interface Cure {
  /** The parts of the sentence that are always the same, in their order. */
  sentence: string[];
  advice: string;
}

/** The table of warnings in docs/troubleshooting.md, whose text the page shows. */
export function readCures(markdown: string): Cure[] {
  const [, section = ''] = markdown.split('\n## Warnings of a run\n');
  const [table = ''] = section.split('\n## ');
  return table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [sentences = '', advice = ''] = line.slice(2, -2).split(' | ');
      return sentences.split('<br>').map((sentence) => ({
        sentence: partsOf(sentence),
        advice: plain(advice),
      }));
    });
}

function partsOf(sentence: string): string[] {
  return sentence
    .replace(/^`+|`+$/g, '')
    .split('…')
    .map((part) => part.trim())
    .filter((part) => /\w/.test(part));
}

/** Without the marks of Markdown; a link names the page that it leads to. */
function plain(advice: string): string {
  return advice
    .trim()
    .replace(
      /\[([^\]]+)\]\(([\w-]*\.md)?[^)]*\)/g,
      (_, text: string, page?: string) => `${text} (docs/${page ?? 'troubleshooting.md'})`,
    )
    .replaceAll('`', '');
}

/** Of all sentences that a warning can be, the one that says most of it. */
export function findCure(cures: readonly Cure[], warning: string): string | null {
  let best: string | null = null;
  let most = 0;
  for (const { sentence, advice } of cures) {
    const length = sentence.join('').length;
    if (length <= most || !holds(warning, sentence)) continue;
    best = advice;
    most = length;
  }
  return best;
}

function holds(warning: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = warning.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}
