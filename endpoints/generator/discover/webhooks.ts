import { packageOf, type SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import type { PublishedModel, WebhooksModel } from '../model/service-model.js';
import { extendsOurs, exportedFrom, isOurs, symbolAt } from './symbols.js';
import type { TypeReader } from './type-reader.js';
import { capital } from './type-reading-context.js';

const sender = 'endpoints/webhooks/webhook-sender';

/** Every exported `webhookSender([…])`, with what it publishes. */
export const findWebhooks = (
  file: ts.SourceFile,
  tree: SourceTree,
  reader: TypeReader,
  diagnostics: Diagnostics,
): readonly WebhooksModel[] =>
  file.text.includes('webhookSender')
    ? file.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
        declarationList.declarations.flatMap((declaration) => {
          const { initializer } = declaration;
          if (!isCallOf(initializer, sender, 'webhookSender', tree.checker)) return [];
          const exported = exportedFrom(declaration, tree);
          if (exported === undefined)
            diagnostics.error('SVC1067', declaration, 'a webhookSender must be an exported constant');
          const published = publishedIn(initializer, tree, reader, diagnostics);
          return exported === undefined ? [] : [{ ...exported, published }];
        }),
      )
    : [];

function isCallOf(
  node: ts.Node | undefined,
  file: string,
  name: string,
  checker: ts.TypeChecker,
): node is ts.CallExpression {
  return (
    node !== undefined && ts.isCallExpression(node) && isOurs(symbolAt(node.expression, checker), file, name)
  );
}

function publishedIn(
  call: ts.CallExpression,
  tree: SourceTree,
  reader: TypeReader,
  diagnostics: Diagnostics,
): readonly PublishedModel[] {
  const found: PublishedModel[] = [];
  const visit = (node: ts.Node): void => {
    if (!isCallOf(node, 'endpoints/webhooks/published', 'published', tree.checker))
      return ts.forEachChild(node, visit);
    const one = readPublished(node, tree, reader, diagnostics);
    if (one !== undefined) found.push(one);
  };
  call.arguments.forEach(visit);
  return found;
}

function readPublished(
  call: ts.CallExpression,
  { checker }: SourceTree,
  reader: TypeReader,
  diagnostics: Diagnostics,
): PublishedModel | undefined {
  const [event, init] = call.arguments;
  if (event === undefined || init === undefined || !ts.isObjectLiteralExpression(init)) return undefined;
  const declared = symbolAt(event, checker)?.valueDeclaration;
  const isSystem = declared !== undefined && isSystemEvent(declared, checker);
  if (isSystem)
    diagnostics.error(
      'SVC1064',
      event,
      `${event.getText()} is a system event; publish events of your domain`,
    );
  const typeNode = memberOf(init, 'type');
  const written = typeNode && checker.getTypeAtLocation(typeNode);
  const type = written?.isStringLiteral() === true ? written.value : undefined;
  if (type !== undefined && !/^(?!webhook\.)[a-z0-9][a-z0-9._-]{0,99}$/.test(type))
    diagnostics.error(
      'SVC1066',
      typeNode ?? init,
      `'${type}' cannot be a type of webhooks; use up to 100 of the characters a-z 0-9 . _ - as in order.paid, and not webhook. at the beginning`,
    );
  const of = memberOf(init, 'of');
  const signature = of && checker.getTypeAtLocation(of).getCallSignatures().at(0);
  if (of === undefined || signature === undefined || type === undefined || isSystem) return undefined;
  refuseWholePayload(of, declared, checker, diagnostics);
  const name = `${type.split(/[._-]/).map(capital).join('')}Webhook`;
  const site = { node: of, identity: of, path: `${type} of`, name };
  return { type, event: event.getText(), data: reader.read(signature.getReturnType(), site) };
}

function isSystemEvent(declared: ts.Declaration, checker: ts.TypeChecker): boolean {
  const { fileName } = declared.getSourceFile();
  const isOfRuntime = /\/contracts\/events\/[^/]+$/.test(fileName) && packageOf(fileName) === 'svc-runtime';
  return isOfRuntime || (ts.isClassLike(declared) && extendsOurs(declared, 'SystemEvent', checker));
}

/** What is published by accident cannot be taken back: a new field of the event would leave, too. */
function refuseWholePayload(
  of: ts.Node,
  event: ts.Declaration | undefined,
  checker: ts.TypeChecker,
  diagnostics: Diagnostics,
): void {
  const isPayload = (node: ts.Expression): boolean => {
    const { symbol } = checker.getTypeAtLocation(node);
    return event !== undefined && (symbol as ts.Symbol | undefined)?.valueDeclaration === event;
  };
  const visit = (node: ts.Node, leaves: boolean): void => {
    const whole = ts.isSpreadAssignment(node) ? node.expression : node;
    const isWhole = ts.isShorthandPropertyAssignment(node)
      ? isPayload(node.name)
      : ts.isExpression(whole) && (leaves || whole !== node) && isPayload(whole);
    if (isWhole)
      return diagnostics.error(
        'SVC1065',
        whole,
        'the whole payload would leave the service, with every field that is added later; return the fields that customers may see',
      );
    ts.forEachChild(node, (child) => visit(child, isResult(node, child, leaves)));
  };
  visit(of, false);
}

/** Whether a part of an expression is returned with it. */
function isResult(node: ts.Node, child: ts.Node, leaves: boolean): boolean {
  if (ts.isReturnStatement(node) || ts.isArrayLiteralExpression(node)) return true;
  if (ts.isArrowFunction(node)) return node.body === child;
  if (ts.isPropertyAssignment(node)) return node.initializer === child;
  if (ts.isConditionalExpression(node)) return leaves && node.condition !== child;
  if (ts.isBinaryExpression(node)) return leaves && choosing.has(node.operatorToken.kind);
  return leaves && (ts.isParenthesizedExpression(node) || ts.isAsExpression(node));
}

const choosing: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
]);

/** A property or a method. */
function memberOf(literal: ts.ObjectLiteralExpression, name: string): ts.Node | undefined {
  const member = literal.properties.find((one) => one.name?.getText() === name);
  return member !== undefined && ts.isPropertyAssignment(member) ? member.initializer : member;
}
