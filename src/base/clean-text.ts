import { stripVTControlCharacters } from 'node:util';

/** Control characters, with those that reverse the direction of writing or end a line. */
const controls = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Makes one harmless line of text that a service, a server or a stranger may have written: it
 * can neither control the terminal nor start a new line that looks like ours.
 */
export function cleanLine(text: string): string {
  return stripVTControlCharacters(text).replace(controls, ' ');
}

/** JSON leaves some control characters as they are; escaping them keeps the value the same. */
export function escapeControls(json: string): string {
  return json.replace(controls, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
