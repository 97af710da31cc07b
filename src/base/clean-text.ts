import { stripVTControlCharacters } from 'node:util';

/** Control characters, and characters that change the direction of writing or end a line. */
const controls = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** One harmless line, which can neither control the terminal nor start a new line that looks like ours. */
export function cleanLine(text: string): string {
  return stripVTControlCharacters(text).replace(controls, ' ');
}

/** JSON.stringify leaves some control characters as they are. Escaping them does not change the value. */
export function escapeControls(json: string): string {
  return json.replace(controls, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
