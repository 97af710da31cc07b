import { stripVTControlCharacters } from 'node:util';

/** Also those that turn the direction of writing around, and the separators that end a line. */
const controls = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * A text in which a service, a server or a stranger may have had a word, as one line: it can
 * neither drive a terminal nor end its line and begin one that looks like ours.
 */
export function cleanLine(text: string): string {
  return stripVTControlCharacters(text).replace(controls, ' ');
}

/** JSON leaves some of them as they are; escaped, the value stays the same. */
export function escapeControls(json: string): string {
  return json.replace(controls, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
