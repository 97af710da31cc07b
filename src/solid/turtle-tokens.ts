export interface Token {
  type: string;
  value?: string | undefined;
  prefix?: string | undefined;
}

const LONGEST_BASE = 2_000;
/** The longest name; only an object that is written in full may be longer, as a picture in a `data:` address is. */
export const LONGEST_NAME = 8_000;
/** Names may stand for so many times the text, and for so much more, as short texts hold long prefixes too. */
const [MOST_TIMES, MOST_BESIDES] = [16, 1_000_000];

/** As the parser tells them from relative ones, which it resolves. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;
const STEP = /(?:^|\/)\.\.?(?=[/?#]|$)/g;

/**
 * Bounds what the names of a text stand for. Resolving a name costs what it leans on, a base or a prefix, however
 * short the text and the result are; and so much again for every step in it (`../`). So each token is judged before it
 * is resolved. Returns why the text goes too far; null while it does not.
 */
export function judgeTokens(url: string, textLength: number): (token: Token) => string | null {
  const most = MOST_TIMES * textLength + MOST_BESIDES;
  const prefixes = new Map<string, number>();
  let base = { length: url.length, steps: 0 };
  let declared: { prefix: string } | 'base' | null = null;
  let sum = 0;

  const leanOn = (length: number, steps: number): string | null => {
    sum += length * (1 + steps);
    if (length > LONGEST_NAME) return 'one of its names is too long';
    return sum > most ? 'its names stand for too much' : null;
  };
  const judgeAddress = (value: string, isType: boolean): string | null => {
    const declares = declared;
    declared = null;
    const isAbsolute = ABSOLUTE.test(value);
    const length = isAbsolute ? value.length : base.length + value.length;
    const isLong = length > (declares === null ? LONGEST_NAME : LONGEST_BASE);
    if (isLong && (declares !== null || isType)) return 'its base, a prefix or a type is too long';
    const steps = (value.match(STEP)?.length ?? 0) + (isAbsolute ? 0 : base.steps);
    if (declares === 'base') base = { length, steps };
    else if (declares !== null) prefixes.set(declares.prefix, length);
    return isAbsolute ? null : leanOn(length, steps);
  };
  return ({ type, value = '', prefix = '' }) => {
    switch (type) {
      case '@base':
      case 'BASE':
        declared = 'base';
        return null;
      case 'prefix':
        declared = { prefix: value };
        return null;
      case 'IRI':
      case 'typeIRI':
        return judgeAddress(value, type === 'typeIRI');
      case 'prefixed':
      case 'type':
        return leanOn((prefixes.get(prefix) ?? 0) + value.length, 0);
      default:
        return null;
    }
  };
}
