import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst, transformWithEsbuild } from 'vite';
import { isRecord } from '../../src/base/parse-json.js';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** What an operator never reads: the app's side and the demo, and texts for a chart or a page. */
const notForOperators =
  /^(client|generated|embedded-server|cli\/(app|demo|modes)\/(?!test)|cli\/(call-service|operator\/show-config)|chart\/(layout|picture)|config\/values|http\/(api-schemas|openapi|every-answer))/;

/** Calls whose texts are no messages: help, descriptions, and what a mode was asked to print. */
const asked = new Set([
  'addEvent',
  'addHelpText',
  'ask',
  'askFor',
  'askNewSecret',
  'askSecret',
  'describe',
  'description',
  'option',
  'print',
  'say',
]);
const descriptions = new Set(['description', 'help', 'load', 'summary', 'title']);

export interface Messages {
  /** Every sentence and phrase that the service can say, with … for what is filled in. */
  said: Set<string>;
  /** The whole sentences that end a mode or a call as an error, with the file that each is in. */
  errors: Map<string, string>;
}

/**
 * What an operator is told to do, which begins a message or a part of it after , ; : or a full stop. An error without
 * one of these needs its row in docs/troubleshooting.md. A new verb goes into the list when a message begins with it.
 */
const cure =
  /(?:^|[,;:.] )(?:check|choose|create|give|install|log in|name|restore|run|see|set|stop|try|wait)\b/i;

export function namesCure(message: string): boolean {
  return cure.test(message);
}

export async function collectMessages(): Promise<Messages> {
  const messages: Messages = { said: new Set(), errors: new Map() };
  for (const file of listSources()) {
    const { code } = await transformWithEsbuild(readFileSync(source + file, 'utf8'), file);
    visit(parseAst(code), false, (message, isError) => {
      messages.said.add(message);
      if (isError && isSentence(message)) messages.errors.set(message, file);
    });
  }
  return messages;
}

function listSources(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.(test|d)\.ts$/.test(file) && !notForOperators.test(file),
  );
}

type Report = (message: string, isError: boolean) => void;

/** Calls `report` with every text below a node, and whether it is within the making of an error. */
function visit(node: unknown, isError: boolean, report: Report): void {
  if (Array.isArray(node)) for (const child of node) visit(child, isError, report);
  if (!isRecord(node)) return;
  const { type } = node;
  // A tagged template is code in another language, such as a regular expression.
  if (type === 'ImportDeclaration' || type === 'TaggedTemplateExpression') return;
  if (type === 'Property' && descriptions.has(nameOf(node['key']))) return;
  if (type === 'CallExpression' && asked.has(nameOf(node['callee']))) return;
  const text = textOf(node);
  if (text !== null) {
    report(normalise(text), isError);
    return;
  }
  const name = type === 'NewExpression' ? nameOf(node['callee']) : '';
  const within = isError || /\w(?<!Range|Type|Syntax)Error$/.test(name);
  for (const child of Object.values(node)) visit(child, within, report);
}

/** Of what is called or given a value; of a.b it is b. */
function nameOf(node: unknown): string {
  if (!isRecord(node)) return '';
  if (node['type'] === 'MemberExpression') return nameOf(node['property']);
  const { name } = node;
  return typeof name === 'string' ? name : '';
}

/** A literal, a template, or several joined by +; null for anything else. */
function textOf(node: unknown): string | null {
  if (!isRecord(node)) return null;
  const { type, value, quasis, operator } = node;
  if (type === 'Literal') return typeof value === 'string' ? value : null;
  if (type === 'TemplateLiteral' && Array.isArray(quasis)) return quasis.map(cooked).join('…');
  if (type !== 'BinaryExpression' || operator !== '+') return null;
  const [left, right] = [textOf(node['left']), textOf(node['right'])];
  return left === null && right === null ? null : `${left ?? '…'}${right ?? '…'}`;
}

function cooked(quasi: unknown): string {
  const value = isRecord(quasi) && isRecord(quasi['value']) ? quasi['value']['cooked'] : '';
  return typeof value === 'string' ? value : '';
}

export function normalise(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Four words or more, and a full stop or a question mark at the end. */
function isSentence(text: string): boolean {
  const words = text.split(' ').filter((word) => /[a-z…]/i.test(word));
  return words.length >= 4 && /[.?]$/.test(text);
}
