import { resolve } from 'node:path';
import ts from 'typescript';

/**
 * docs/client-reference.md, from the source of the client library: every function that it offers
 * and every type that one of them names, with the comments that stand there.
 */
const entry = resolve('src/client/client.ts');
const source = resolve('src');

interface Item {
  name: string;
  comment: string;
  code: string;
  isType: boolean;
}

export function renderClientReference(): string {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)).config,
    ts.sys,
    '.',
  );
  const program = ts.createProgram([entry], { ...options, noEmit: true });
  const items = collectItems(program);
  const chapter = (title: string, isType: boolean) => [
    `## ${title}`,
    ...items.filter((item) => item.isType === isType).map(renderItem),
  ];
  return [
    '# Reference of the client library',
    'Made from the source by `npm run generate:reference`; [for app developers](app-developers.md) tells how the parts are used together.',
    ...chapter('Functions', false),
    ...chapter('Types', true),
    '',
  ].join('\n\n');
}

function renderItem({ name, comment, code }: Item): string {
  return [`### ${name}`, comment, `\`\`\`ts\n${code}\n\`\`\``].filter(Boolean).join('\n\n');
}

function collectItems(program: ts.Program): Item[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${entry} is no module.`);
  const waiting = checker.getExportsOfModule(module);
  const done = new Map<ts.Symbol, Item>();
  for (const exported of waiting) {
    const symbol = resolveAlias(checker, exported);
    const declaration = symbol.declarations?.find(isShown);
    // The bare gRPC client is used through `dial` and the calls.
    if (declaration === undefined || done.has(symbol) || symbol.name === 'AnalyserClient') continue;
    done.set(symbol, describe(checker, symbol, declaration));
    waiting.push(...namedTypes(checker, declaration));
  }
  return [...done.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function resolveAlias(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

type Shown =
  | ts.FunctionDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.EnumDeclaration
  | ts.ClassDeclaration;

function isShown(node: ts.Node): node is Shown {
  const isOurs = node.getSourceFile().fileName.startsWith(`${source}/`);
  return (
    isOurs &&
    (ts.isFunctionDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isEnumDeclaration(node) ||
      ts.isClassDeclaration(node))
  );
}

function describe(checker: ts.TypeChecker, symbol: ts.Symbol, node: Shown): Item {
  return {
    name: symbol.name,
    comment: ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\n/g, ' '),
    code: codeOf(checker, node),
    isType: !ts.isFunctionDeclaration(node),
  };
}

function codeOf(checker: ts.TypeChecker, node: Shown): string {
  if (ts.isFunctionDeclaration(node) && node.body !== undefined) {
    return textBetween(node, node.body.getStart());
  }
  if (ts.isClassDeclaration(node)) return signatureOfClass(checker, node);
  if (ts.isTypeAliasDeclaration(node)) {
    const values = checker.getSymbolAtLocation(node.name)?.valueDeclaration;
    if (values !== undefined) return `const ${values.getText()}`;
    if (/\bz\.infer\b/.test(node.getText())) return expandType(checker, node);
  }
  return node.getText().replace(/^export /, '');
}

/** A type that is inferred from a schema, written out. */
function expandType(checker: ts.TypeChecker, node: ts.TypeAliasDeclaration): string {
  const text = checker.typeToString(
    checker.getTypeAtLocation(node),
    undefined,
    ts.TypeFormatFlags.NoTruncation |
      ts.TypeFormatFlags.InTypeAlias |
      ts.TypeFormatFlags.MultilineObjectLiterals,
  );
  // The compiler joins its lines, and leaves their indentation standing.
  const lines = text.replace(/ {4,}/g, (spaces) => `\n${' '.repeat(spaces.length / 2)}`);
  return `type ${node.name.text} = ${lines.replace(/(?<=[;}])(?=\}( \||$))/g, '\n')}`;
}

function textBetween(node: ts.FunctionDeclaration, end: number): string {
  const text = node.getSourceFile().text.slice(node.getStart(), end);
  return text.trim().replace(/^export (async )?/, '');
}

function signatureOfClass(checker: ts.TypeChecker, node: ts.ClassDeclaration): string {
  const parent = node.heritageClauses?.map((clause) => ` ${clause.getText()}`).join('') ?? '';
  const fields = checker
    .getTypeAtLocation(node)
    .getProperties()
    .filter(({ declarations }) =>
      declarations?.some((one) => one.getSourceFile() === node.getSourceFile()),
    )
    .map((field) => `  ${field.name}: ${checker.typeToString(checker.getTypeOfSymbol(field))};`);
  return [`class ${node.name?.text ?? ''}${parent} {`, ...fields, '}'].join('\n');
}

/** Types that the declaration names; a function's body is nobody's business. */
function namedTypes(checker: ts.TypeChecker, declaration: Shown): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || ts.isConstructorDeclaration(node)) return;
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
      const symbol = checker.getSymbolAtLocation(name);
      if (symbol !== undefined) found.push(resolveAlias(checker, symbol));
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(declaration, visit);
  return found;
}
