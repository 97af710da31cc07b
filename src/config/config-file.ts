import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { AnalyserError, codeOf } from '../base/errors.js';

/** Where a configuration comes from: the caller's environment and working directory. */
export interface ConfigSource {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}

type KeyPath = readonly PropertyKey[];

export interface ParsedFile {
  /** The absolute path of the file. */
  path: string;
  /** Permission bits. */
  mode: number;
  /** The id of the account that owns the file. */
  uid: number;
  /** The parsed YAML without the keys that were left blank. */
  value: unknown;
  /** `file:line` of a key, or of the nearest section around it. */
  locate(key: KeyPath): string;
}

const maxBytes = 1024 * 1024;

export function readConfigFile({ env, cwd }: ConfigSource): Promise<ParsedFile> {
  const name = env['APP_ANALYSER_CONFIG']?.trim() ?? '';
  const path = resolve(cwd, name || 'config.yaml');
  return readYamlFile(path, {
    missing: name
      ? `There is no configuration at ${path}, which --config or APP_ANALYSER_CONFIG names: correct it, or copy config.example.yaml there and fill it in.`
      : `There is no configuration at ${path}: run the setup mode, or copy config.example.yaml there and fill it in, or name yours with --config or APP_ANALYSER_CONFIG.`,
    empty: `${path} is empty: copy config.example.yaml over it and fill it in.`,
  });
}

/** Reads a YAML file of limited size; `sentences` are the errors for a missing and for an empty file. */
export async function readYamlFile(
  path: string,
  sentences: { missing: string; empty: string },
): Promise<ParsedFile> {
  const { text, mode, uid } = await readText(path, sentences.missing);
  const lines = new LineCounter();
  // The parser's pretty messages quote the line, which may hold a secret.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => `${path}:${Math.max(lines.linePos(offset).line, 1)}`;
  // One mistake makes the parser report others after it, so only the first is told.
  const [first] = listProblems(document).sort((one, other) => one.offset - other.offset);
  if (first !== undefined) {
    const expected = yamlRules[first.code] ?? 'YAML, which is "key: value" on each line';
    throw new AnalyserError('configuration', `${lineAt(first.offset)}: expected ${expected}.`);
  }
  const value = withoutBlanks(document.toJS());
  if (value === undefined) {
    throw new AnalyserError('configuration', sentences.empty);
  }
  return { path, mode, uid, value, locate: (key) => lineAt(offsetOf(document.contents, key)) };
}

async function readText(path: string, missing: string) {
  try {
    const info = await stat(path);
    if (!info.isFile())
      throw new AnalyserError('configuration', `${path} is not a file: name one.`);
    if (info.size > maxBytes) {
      throw new AnalyserError(
        'configuration',
        `${path} is larger than a configuration can be: name another file.`,
      );
    }
    return { text: await readFile(path, 'utf8'), mode: info.mode & 0o777, uid: info.uid };
  } catch (error) {
    if (error instanceof AnalyserError) throw error;
    const code = codeOf(error) ?? 'unknown error';
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const message = isMissing ? missing : `${path} cannot be read (${code}).`;
    throw new AnalyserError('configuration', message, { cause: error });
  }
}

/** An alias or a tag is always a mistake here, such as a secret without quotes that starts with "*" or "!". */
function listProblems(document: Document.Parsed) {
  const { errors, warnings } = document;
  const found: { code: string; offset: number }[] = [];
  for (const { code, pos } of [...errors, ...warnings]) found.push({ code, offset: pos[0] });
  visit(document, {
    Alias: (_, { range }) => void found.push({ code: 'BAD_ALIAS', offset: range?.[0] ?? 0 }),
  });
  return found;
}

/** Own messages for mistakes in YAML. They do not quote the wrong text, because it may be a secret. */
const yamlRules: Partial<Record<string, string>> = {
  BAD_ALIAS: 'text in quotes where it starts with "*"',
  BAD_DQ_ESCAPE: 'a known escape after the backslash; in single quotes it means itself',
  BAD_INDENT: 'the indentation of the lines around it',
  BAD_SCALAR_START: 'text in quotes where it starts with "@" or "`"',
  BLOCK_AS_IMPLICIT_KEY: 'one "key: value" on a line, and text with ": " in it in quotes',
  BLOCK_IN_FLOW: 'a bracket closed before the next key',
  DUPLICATE_KEY: 'each key once, got one that was already given',
  MISSING_CHAR: '": " with a space after each key, and every quote and bracket closed',
  MULTILINE_IMPLICIT_KEY: '": " with a space after each key, and every quote closed',
  MULTIPLE_DOCS: 'one document, without "---" in between',
  TAB_AS_INDENT: 'spaces for indentation, got a tab',
  TAG_RESOLVE_FAILED: 'text in quotes where it starts with "!"',
  UNEXPECTED_TOKEN: 'the end of the line after the value, or the value in quotes',
};

/** Drops keys without a value, which take their default like keys that are left out. */
function withoutBlanks(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutBlanks(item)]));
}

function offsetOf(contents: Node | null, key: KeyPath): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const name of key) {
    if (!isMap(node)) break;
    const pair = node.items.find((item) => isScalar(item.key) && item.key.value === name);
    if (pair === undefined) break;
    if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
    node = pair.value;
  }
  return offset;
}
