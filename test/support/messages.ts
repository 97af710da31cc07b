import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

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
  /(?:^|[,;:.] )(?:check|choose|create|give|install|log in|name|restore|run|see|set|try|wait)\b/i;

export function namesCure(message: string): boolean {
  return cure.test(message);
}

export function collectMessages(): Messages {
  const messages: Messages = { said: new Set(), errors: new Map() };
  for (const file of listSources()) {
    const text = readFileSync(source + file, 'utf8');
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), (message, isError) => {
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

function visit(
  node: ts.Node,
  report: (message: string, isError: boolean) => void,
  inError = false,
): void {
  // A tagged template is code in another language, such as a regular expression.
  if (ts.isImportDeclaration(node) || ts.isTaggedTemplateExpression(node) || isAsked(node)) return;
  const text = textOf(node);
  if (text === null) {
    const isError =
      inError ||
      (ts.isNewExpression(node) &&
        /\w(?<!Range|Type|Syntax)Error$/.test(node.expression.getText()));
    ts.forEachChild(node, (child) => visit(child, report, isError));
    return;
  }
  report(normalise(text), inError);
}

function isAsked(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node)) return descriptions.has(node.name.getText());
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  return asked.has(
    ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText(),
  );
}

/** A literal, a template, or several joined by +; null for anything else. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (text, { literal }) => `${text}…${literal.text}`,
      node.head.text,
    );
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) {
    return null;
  }
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
