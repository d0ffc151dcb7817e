import { ts } from '../compiler.js';
import type { PublishedModel, WebhooksModel } from '../model/service-model.js';
import { memberOf, valueOf } from './literals.js';
import type { Reading } from './reading.js';
import { extendsOurs, exportedFrom, isOfRuntime, isOurs, symbolAt } from './symbols.js';
import type { TypeReader } from './type-reader.js';
import { capital } from './type-reading-context.js';

const sender = 'endpoints/webhooks/webhook-sender';

/** Every exported `webhookSender([…])`, with what it publishes. */
export const findWebhooks = (file: ts.SourceFile, reader: TypeReader): readonly WebhooksModel[] =>
  file.text.includes('webhookSender')
    ? file.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
        declarationList.declarations.flatMap((declaration) => {
          const { initializer } = declaration;
          if (!isCallOf(initializer, sender, 'webhookSender', reader.checker)) return [];
          const exported = exportedFrom(declaration, reader.tree);
          if (exported === undefined)
            reader.error('SVC1067', declaration, 'a webhookSender must be an exported constant');
          const published = publishedIn(initializer, reader);
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

function publishedIn(call: ts.CallExpression, reader: TypeReader): readonly PublishedModel[] {
  const found: PublishedModel[] = [];
  const visit = (node: ts.Node): void => {
    if (!isCallOf(node, 'endpoints/webhooks/published', 'published', reader.checker))
      return ts.forEachChild(node, visit);
    const one = readPublished(node, reader);
    if (one !== undefined) found.push(one);
  };
  call.arguments.forEach(visit);
  return found;
}

function readPublished(call: ts.CallExpression, reader: TypeReader): PublishedModel | undefined {
  const [event, init] = call.arguments;
  if (event === undefined || init === undefined || !ts.isObjectLiteralExpression(init)) return undefined;
  const declared = symbolAt(event, reader.checker)?.valueDeclaration;
  const isSystem = declared !== undefined && isSystemEvent(declared, reader.checker);
  if (isSystem)
    reader.error('SVC1064', event, `${event.getText()} is a system event; publish events of your domain`);
  const typeNode = codeOf(init, 'type');
  const written = typeNode && reader.checker.getTypeAtLocation(typeNode);
  const type = written?.isStringLiteral() === true ? written.value : undefined;
  if (type !== undefined && !/^(?!webhook\.)[a-z0-9][a-z0-9._-]{0,99}$/.test(type)) {
    const why = `'${type}' cannot be a type of webhooks; use up to 100 of the characters a-z 0-9 . _ - as in order.paid, and not webhook. at the beginning`;
    reader.error('SVC1066', typeNode ?? init, why);
  }
  const of = codeOf(init, 'of');
  const signature = of && reader.checker.getTypeAtLocation(of).getCallSignatures().at(0);
  if (of === undefined || signature === undefined || type === undefined || isSystem) return undefined;
  refuseWholePayload(of, declared, reader);
  const name = `${type.split(/[._-]/).map(capital).join('')}Webhook`;
  const site = { node: of, identity: of, path: `${type} of`, name };
  return { type, event: event.getText(), data: reader.read(signature.getReturnType(), site) };
}

const isSystemEvent = (declared: ts.Declaration, checker: ts.TypeChecker): boolean =>
  isOfRuntime(declared) || (ts.isClassLike(declared) && extendsOurs(declared, 'SystemEvent', checker));

/** What is published by accident cannot be taken back: a new field of the event would leave, too. */
function refuseWholePayload(of: ts.Node, event: ts.Declaration | undefined, reading: Reading): void {
  const isPayload = (node: ts.Expression): boolean => {
    const { symbol } = reading.checker.getTypeAtLocation(node);
    return event !== undefined && (symbol as ts.Symbol | undefined)?.valueDeclaration === event;
  };
  const visit = (node: ts.Node, leaves: boolean): void => {
    const whole = ts.isSpreadAssignment(node) ? node.expression : node;
    const isWhole = ts.isShorthandPropertyAssignment(node)
      ? isPayload(node.name)
      : ts.isExpression(whole) && (leaves || whole !== node) && isPayload(whole);
    if (isWhole) {
      const why =
        'the whole payload would leave the service, with every field that is added later; return the fields that customers may see';
      return reading.error('SVC1065', whole, why);
    }
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
function codeOf(literal: ts.ObjectLiteralExpression, name: string): ts.Node | undefined {
  const member = memberOf(literal, name);
  return valueOf(member) ?? member;
}
