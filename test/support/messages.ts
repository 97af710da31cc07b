import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ESTree, parseSync, Visitor } from 'vite';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** What an operator never reads: the app's side and the demo, and texts for a chart or a page. */
const notForOperators =
  /^(client|generated|embedded-server|cli\/(app|demo|modes)\/(?!test)|cli\/(call-service|operator\/show-config)|chart\/(layout|picture)|config\/values|http\/(api-schemas|openapi|dashboard|every-answer))/;

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

export function collectMessages(): Messages {
  const messages: Messages = { said: new Set(), errors: new Map() };
  for (const file of listSources()) {
    const text = readFileSync(source + file, 'utf8');
    visit(parseSync(file, text).program, (message, isError) => {
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

/** Calls `report` with every text, and whether it is within the making of an error. */
function visit(program: ESTree.Program, report: (message: string, isError: boolean) => void): void {
  const skipped: ESTree.Node[] = [];
  const errors: ESTree.Node[] = [];
  // A tagged template is code in another language, such as a regular expression.
  const skip = (node: ESTree.Node) => skipped.push(node);
  const leave = (node: ESTree.Node) => {
    if (skipped.at(-1) === node) skipped.pop();
    if (errors.at(-1) === node) errors.pop();
  };
  const read = (node: ESTree.Expression) => {
    const text = textOf(node);
    if (text === null || skipped.length > 0) return;
    report(normalise(text), errors.length > 0);
    // Its parts are told with it.
    skip(node);
  };
  new Visitor({
    ImportDeclaration: skip,
    'ImportDeclaration:exit': leave,
    TaggedTemplateExpression: skip,
    'TaggedTemplateExpression:exit': leave,
    Property(node) {
      if (descriptions.has(nameOf(node.key))) skip(node);
    },
    'Property:exit': leave,
    CallExpression(node) {
      if (asked.has(nameOf(node.callee))) skip(node);
    },
    'CallExpression:exit': leave,
    NewExpression(node) {
      if (/\w(?<!Range|Type|Syntax)Error$/.test(nameOf(node.callee))) errors.push(node);
    },
    'NewExpression:exit': leave,
    Literal: read,
    'Literal:exit': leave,
    TemplateLiteral: read,
    'TemplateLiteral:exit': leave,
    BinaryExpression: read,
    'BinaryExpression:exit': leave,
  }).visit(program);
}

/** Of what is called or given a value; of a.b it is b. */
function nameOf(node: ESTree.Node): string {
  if (node.type === 'MemberExpression') return nameOf(node.property);
  return node.type === 'Identifier' ? node.name : '';
}

/** A literal, a template, or several joined by +; null for anything else. */
function textOf(node: ESTree.Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'ParenthesizedExpression') return textOf(node.expression);
  if (node.type === 'TemplateLiteral') {
    return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('…');
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === null && right === null ? null : `${left ?? '…'}${right ?? '…'}`;
}

export function normalise(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Four words or more, and a full stop or a question mark at the end. */
function isSentence(text: string): boolean {
  const words = text.split(' ').filter((word) => /[a-z…]/i.test(word));
  return words.length >= 4 && /[.?]$/.test(text);
}
