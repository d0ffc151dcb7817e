import { ts } from '../../endpoints/generator/typescript.js';
import { page, plain } from './markdown.js';

/** A message of the generator, as its source states it; what is known only at run time is an ellipsis. */
export interface Stated {
  readonly code: string;
  readonly message: string;
}

/** The diagnostics that a source file of the generator can report. */
export function statedIn(name: string, text: string): readonly Stated[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: Stated[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && /^SVC\d{4}$/.test(node.text))
      found.push(...messagesBeside(node).map((message) => ({ code: node.text, message })));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The other texts of the call that a code is passed to; a helper that gets the code states the message itself. */
function messagesBeside(node: ts.StringLiteral): readonly string[] {
  if (!ts.isCallExpression(node.parent)) return [''];
  const texts = node.parent.arguments
    .filter((argument) => argument !== node)
    .flatMap((argument) => textsOf(argument, node.getSourceFile()))
    .filter((text) => text.includes(' '));
  return texts.length === 0 ? [''] : texts;
}

function textsOf(node: ts.Expression, file: ts.SourceFile): readonly string[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')];
  if (ts.isConditionalExpression(node))
    return [...textsOf(node.whenTrue, file), ...textsOf(node.whenFalse, file)];
  return ts.isIdentifier(node) ? constantsNamed(node.text, file) : [];
}

/** What a constant of the same file holds. */
function constantsNamed(name: string, file: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name && node.initializer !== undefined)
      if (!ts.isIdentifier(node.initializer)) found.push(...textsOf(node.initializer, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** By code, each message once. */
export function diagnosticsPage(all: readonly Stated[]): string {
  const codes = [...new Set(all.map(({ code }) => code))].toSorted();
  const sections = codes.map((code) => {
    const messages = [...new Set(all.filter((one) => one.code === code).map(({ message }) => message))];
    const lines = messages.filter((message) => message !== '').map((message) => `- ${plain(message)}\n`);
    return `## ${code}\n\n${lines.join('') || `- ${unstated[code] ?? ''}\n`}`;
  });
  return page(
    'Diagnostics of the generator',
    'Every error that svc generate reports, by its code.',
    `\`svc generate\` reports mistakes as the compiler does: \`file(line,column): error CODE: message\`. On any error
nothing is written. Codes are stable; … stands for names of your own.

${sections.join('\n')}`,
  );
}

/** Messages that are made elsewhere: by the compiler, or from the two declarations that share a name. */
const unstated: Readonly<Record<string, string>> = {
  SVC1007: 'two commands have the same route; choose another for one of them',
  SVC1008: 'two commands have the same mutation; choose another for one of them',
  SVC1010: 'a command has a second receptor; remove one',
  SVC1011: 'a command has a second endpoint class; remove one',
  SVC1021: 'the message of the compiler about a file that it cannot read',
};
