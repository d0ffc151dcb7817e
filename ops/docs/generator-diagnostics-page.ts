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
    .flatMap(textsOf)
    // Not the noun of a message that a helper completes.
    .filter((text) => text.split(' ').length > 2);
  return texts.length === 0 ? [''] : texts;
}

function textsOf(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  return ts.isIdentifier(node) ? constantsNamed(node.text, node.parent) : [];
}

/** What the nearest constant of this name holds: two functions may each have one of this name. */
function constantsNamed(name: string, from: ts.Node): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name && node.initializer !== undefined)
      if (!ts.isIdentifier(node.initializer)) found.push(...textsOf(node.initializer));
    ts.forEachChild(node, visit);
  };
  visit(from);
  return found.length > 0 || ts.isSourceFile(from) ? found : constantsNamed(name, from.parent);
}

/** By code, each message once. */
export function diagnosticsPage(all: readonly Stated[]): string {
  const codes = [...new Set(all.map(({ code }) => code))].toSorted();
  const sections = codes.map((code) => {
    const messages = [...new Set(all.filter((one) => one.code === code).map(({ message }) => message))];
    const lines = [...messages, unstated[code] ?? ''].filter((message) => message !== '');
    return `## ${code}\n\n${lines.map((message) => `- ${plain(message)}\n`).join('')}`;
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
  SVC1015: "'…' has a type without a JSON form, such as Date or Map; the message names a replacement",
  SVC1021: 'the message of the compiler about a file that it cannot read',
  SVC1030: 'two commands have the same generated file or client method; choose another name for one of them',
};
