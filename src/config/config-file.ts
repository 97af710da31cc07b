import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { AnalyserError } from '../base/errors.js';

/** Where a configuration comes from: the caller's environment and working directory. */
export interface ConfigSource {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}

type KeyPath = readonly PropertyKey[];

export interface ParsedFile {
  /** Absolute. */
  path: string;
  /** Permission bits. */
  mode: number;
  /** What the YAML says, without the keys that were left blank. */
  value: unknown;
  /** `file:line` of a key, or of the nearest section around it. */
  locate(key: KeyPath): string;
}

const maxBytes = 1024 * 1024;

export async function readConfigFile(source: ConfigSource): Promise<ParsedFile> {
  const { path, named } = locateFile(source);
  const { text, mode } = await readText(path, named);
  const lines = new LineCounter();
  // The parser's own pretty messages quote the line, which may hold a secret.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => `${path}:${Math.max(lines.linePos(offset).line, 1)}`;
  if (document.errors.length > 0) {
    const problems = document.errors.map(
      ({ code, pos }) => `${lineAt(pos[0])}: expected ${yamlRules[code] ?? 'valid YAML'}.`,
    );
    throw new AnalyserError('configuration', [...new Set(problems)].join('\n'));
  }
  const value = withoutBlanks(toPlainValue(document, path));
  if (value === undefined) {
    throw new AnalyserError(
      'configuration',
      `${path} is empty: copy config.example.yaml over it and fill it in.`,
    );
  }
  return { path, mode, value, locate: (key) => lineAt(offsetOf(document.contents, key)) };
}

function locateFile({ env, cwd }: ConfigSource): { path: string; named: boolean } {
  const name = env['APP_ANALYSER_CONFIG']?.trim();
  return name === undefined || name === ''
    ? { path: resolve(cwd, 'config.yaml'), named: false }
    : { path: resolve(cwd, name), named: true };
}

async function readText(path: string, named: boolean): Promise<{ text: string; mode: number }> {
  try {
    const info = await stat(path);
    if (!info.isFile()) throw new AnalyserError('configuration', `${path} is not a file.`);
    if (info.size > maxBytes) {
      throw new AnalyserError('configuration', `${path} is larger than a configuration can be.`);
    }
    return { text: await readFile(path, 'utf8'), mode: info.mode & 0o777 };
  } catch (error) {
    if (error instanceof AnalyserError) throw error;
    throw new AnalyserError('configuration', whyUnreadable(path, named, error), { cause: error });
  }
}

function whyUnreadable(path: string, named: boolean, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `${path} cannot be read (${code}).`;
  return named
    ? `APP_ANALYSER_CONFIG names ${path}, which does not exist: correct it, or copy config.example.yaml there and fill it in.`
    : `There is no configuration at ${path}: copy config.example.yaml there and fill it in, or set APP_ANALYSER_CONFIG to the path of yours.`;
}

/** In our words and without the text at fault, since that may be a secret. */
const yamlRules: Partial<Record<string, string>> = {
  BAD_ALIAS: 'text in quotes where it starts with "*"',
  BAD_INDENT: 'the indentation of the lines around it',
  DUPLICATE_KEY: 'each key once, got one that was already given',
  MISSING_CHAR: '": " with a space after each key, and every quote and bracket closed',
  MULTIPLE_DOCS: 'one document, without "---" in between',
  TAB_AS_INDENT: 'spaces for indentation, got a tab',
  TAG_RESOLVE_FAILED: 'text in quotes where it starts with "!"',
};

function toPlainValue(document: ReturnType<typeof parseDocument>, path: string): unknown {
  try {
    const value: unknown = document.toJS();
    return value;
  } catch (error) {
    throw new AnalyserError('configuration', `${path} repeats itself too often through aliases.`, {
      cause: error,
    });
  }
}

/** A key without a value is a key that was left out: it takes its default. */
function withoutBlanks(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const kept = Object.entries(value)
    .map(([key, item]): [string, unknown] => [key, withoutBlanks(item)])
    .filter(([, item]) => item !== undefined && item !== '');
  return Object.fromEntries(kept);
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
