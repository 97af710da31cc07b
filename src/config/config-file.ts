import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isMap, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { AnalyserError, codeOf } from '../base/errors.js';
import { isRecord } from '../base/parse-json.js';

export interface ConfigSource {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}

type KeyPath = readonly PropertyKey[];

export interface ParsedFile {
  path: string;
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
  const text = await readText(path, sentences.missing);
  const lines = new LineCounter();
  // The parser's pretty messages quote the line, which may hold a secret.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => `${path}:${Math.max(lines.linePos(offset).line, 1)}`;
  const mistakes = [...document.errors, ...document.warnings].map(({ pos: [start] }) => start);
  // An alias or a tag, which is among the warnings, is a secret without quotes that starts with "*" or "!".
  visit(document, { Alias: (_, { range }) => void mistakes.push(range?.[0] ?? 0) });
  if (mistakes.length > 0) {
    // One mistake makes the parser report others after it, so only the first is told.
    const place = lineAt(Math.min(...mistakes));
    throw new AnalyserError('configuration', `${place}: expected ${yamlRules}.`);
  }
  const value: unknown = document.toJS();
  if (withoutBlanks(value) === undefined && !isRecord(value))
    throw new AnalyserError('configuration', sentences.empty);
  return { path, value, locate: (key) => lineAt(offsetOf(document.contents, key)) };
}

const yamlRules =
  'YAML: "key: value" with a space after the colon, each key once, spaces for indentation, every bracket and quote closed, and quotes around text with signs such as *, !, @ or ": "';

async function readText(path: string, missing: string): Promise<string> {
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
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof AnalyserError) throw error;
    const code = codeOf(error) ?? 'unknown error';
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const message = isMissing ? missing : `${path} cannot be read (${code}).`;
    throw new AnalyserError('configuration', message, { cause: error });
  }
}

/** Drops what has no value: it takes its default, like a key that is left out. A section is blank if all in it is. */
function withoutBlanks(value: unknown): unknown {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return undefined;
  if (!isRecord(value)) return value;
  const items = Object.entries(value).map(([key, item]) => [key, withoutBlanks(item)] as const);
  return items.every(([, item]) => item === undefined) ? undefined : Object.fromEntries(items);
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

/** No line of the error quotes the file: after a slip, any word in it can be a part of a secret. */
export function checkFile<T>(
  rules: z.ZodType<T>,
  { value, locate }: Pick<ParsedFile, 'value' | 'locate'>,
): T {
  // Names are judged with all that is blank: a misspelt name is a slip, whatever stands behind it.
  const named = (rules.safeParse(value).error?.issues ?? []).filter(isOfName);
  const parsed = rules.safeParse(withoutBlanks(value) ?? {});
  if (parsed.success && named.length === 0) return parsed.data;
  const others = (parsed.error?.issues ?? []).filter((issue) => !isOfName(issue));
  const problems = [...others, ...named].flatMap((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [null];
    const named = issue.path.length === 0 ? '' : ` ${issue.path.map(String).join('.')}:`;
    return keys.map((key) => {
      const place = locate(key === null ? issue.path : [...issue.path, key]);
      return `${place}:${named} expected ${issue.message}.`;
    });
  });
  throw new AnalyserError('configuration', problems);
}

function isOfName({ code }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys';
}

/** A value from outside of the file. */
export interface Given {
  /** The key in the file that it stands for, such as grpc.port. */
  key: string;
  value: string | number;
  /** The flag or the variable that it comes from. */
  name: string;
}

/** The first of these values that is not blank, each with its flag or variable. */
export function firstGiven(key: string, ...places: [value: string | undefined, name: string][]) {
  const found = places.find(([value = '']) => value.trim() !== '');
  return found === undefined ? [] : [{ key, value: found[0] ?? '', name: found[1] }];
}

export function withGiven(file: ParsedFile, given: readonly Given[]): ParsedFile {
  return {
    path: file.path,
    value: given.reduce((all, { key, value }) => setAt(all, key.split('.'), value), file.value),
    locate: (path) => given.find(({ key }) => key === path.join('.'))?.name ?? file.locate(path),
  };
}

function setAt(all: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const record = isRecord(all) ? all : {};
  return { ...record, [key]: rest.length === 0 ? value : setAt(record[key], rest, value) };
}

/** The value in the file of a key such as grpc.port; undefined if there is none, or a blank one. */
export function valueAt(value: unknown, key: string): unknown {
  let inner = value;
  for (const name of key.split('.')) {
    if (!isRecord(inner)) return undefined;
    inner = Object.getOwnPropertyDescriptor(inner, name)?.value;
  }
  return withoutBlanks(inner);
}
