import { type SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import type { CommandModel, Exported } from '../model/service-model.js';
import { readOptions } from './read-endpoint-options.js';
import { classesOf, documentationOf, exportedFrom, extendsOurs, isOurs, symbolAt } from './symbols.js';
import { mayBeUndefined, type TypeReader } from './type-reader.js';

/** A command and its class; its endpoint is found later. */
export interface FoundCommand {
  readonly model: CommandModel;
  readonly declaration: ts.ClassDeclaration;
}

/** Every class with our decorator. */
export function findCommands(
  file: ts.SourceFile,
  tree: SourceTree,
  reader: TypeReader,
  diagnostics: Diagnostics,
): readonly FoundCommand[] {
  return classesOf(file).flatMap((declaration) => {
    const call = markOf(declaration, tree.checker);
    const model = call === undefined ? undefined : readCommand(declaration, call, tree, reader, diagnostics);
    return model === undefined ? [] : [{ model, declaration }];
  });
}

/** The call of our decorator. */
export function markOf(
  declaration: ts.ClassDeclaration,
  checker: ts.TypeChecker,
): ts.CallExpression | undefined {
  return (ts.getDecorators(declaration) ?? [])
    .map(({ expression }) => expression)
    .filter(ts.isCallExpression)
    .find((call) => isOurs(symbolAt(call.expression, checker), 'command-endpoint', 'CommandEndpoint'));
}

function readCommand(
  declaration: ts.ClassDeclaration,
  call: ts.CallExpression,
  tree: SourceTree,
  reader: TypeReader,
  diagnostics: Diagnostics,
): FoundCommand['model'] | undefined {
  const at = declaration.name ?? declaration;
  const exported = exportedFrom(declaration, tree);
  if (exported === undefined) {
    diagnostics.error('SVC1006', at, 'a command must be an exported class with a name');
    return undefined;
  }
  if (!extendsOurs(declaration, 'Command', tree.checker)) {
    diagnostics.error('SVC1024', at, `${exported.name} must extend Command`);
    return undefined;
  }
  const result = readTypeArguments(declaration, call, exported.name, tree, reader, diagnostics);
  const options = readOptions(call, exported.name, tree, diagnostics);
  refuseConstructorParameters(declaration, exported.name, diagnostics);
  const type = tree.checker.getTypeAtLocation(declaration);
  reader.readNamed(type, { node: at, identity: at, path: exported.name, name: exported.name });
  if (result === undefined || options === undefined) return undefined;
  const request =
    options.requestType === null ? null : readRequest(options.requestType, tree, reader, diagnostics);
  return {
    ...exported,
    restRoute: options.restRoute,
    graphQLMutation: options.graphQLMutation,
    request,
    ...result,
    description: documentationOf(type.getSymbol(), tree.checker),
    endpoint: null,
    permission: options.permission,
    ...(options.agent === undefined ? {} : { agent: options.agent }),
  };
}

function readTypeArguments(
  declaration: ts.ClassDeclaration,
  call: ts.CallExpression,
  name: string,
  tree: SourceTree,
  reader: TypeReader,
  diagnostics: Diagnostics,
): Pick<CommandModel, 'result' | 'resultName'> | undefined {
  const [command, result] = call.typeArguments ?? [];
  if (command === undefined || result === undefined) {
    diagnostics.error(
      'SVC1001',
      call,
      `write @CommandEndpoint<${name}, TheResult>({ … }), with the command and its result as type arguments`,
    );
    return undefined;
  }
  const { checker } = tree;
  if (checker.getTypeAtLocation(command) !== checker.getTypeAtLocation(declaration)) {
    diagnostics.error('SVC1004', command, `the first type argument must be ${name}, the decorated class`);
    return undefined;
  }
  const type = checker.getTypeAtLocation(result);
  const fallback = `${name}Result`;
  if ((type.flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined)) !== 0)
    return { result: null, resultName: fallback };
  if (mayBeUndefined(type))
    diagnostics.error(
      'SVC1015',
      result,
      `the result of ${name} may be undefined; use null, or void for none`,
    );
  const model = reader.read(type, { node: result, identity: result, path: fallback, name: fallback });
  return { result: model, resultName: model.kind === 'ref' ? model.name : fallback };
}

/** The decoder creates the command with `new` and then sets its fields. */
function refuseConstructorParameters(
  declaration: ts.ClassDeclaration,
  name: string,
  diagnostics: Diagnostics,
): void {
  const parameters = declaration.members.find(ts.isConstructorDeclaration)?.parameters ?? [];
  if (
    parameters.some(
      (parameter) => parameter.questionToken === undefined && parameter.initializer === undefined,
    )
  ) {
    diagnostics.error(
      'SVC1018',
      declaration.name ?? declaration,
      `${name} must be constructible without arguments; use fields and ${name}.of({ … })`,
    );
  }
}

function readRequest(
  symbol: ts.Symbol,
  tree: SourceTree,
  reader: TypeReader,
  diagnostics: Diagnostics,
): Exported | null {
  const declaration = symbol.declarations?.find(ts.isClassDeclaration);
  const exported = declaration === undefined ? undefined : exportedFrom(declaration, tree);
  if (declaration === undefined || exported === undefined) {
    const [at] = symbol.declarations ?? [];
    if (at !== undefined)
      diagnostics.error('SVC1006', at, `the request type ${symbol.name} must be an exported class`);
    return null;
  }
  refuseConstructorParameters(declaration, exported.name, diagnostics);
  const node = declaration.name ?? declaration;
  const site = { node, identity: node, path: exported.name, name: exported.name };
  reader.readNamed(tree.checker.getTypeAtLocation(declaration), site);
  return exported;
}
