import { ts } from '../compiler.js';
import type { CommandModel, Exported } from '../model/service-model.js';
import { readOptions } from './read-endpoint-options.js';
import type { Reading } from './reading.js';
import { classesOf, documentationOf, exportedFrom, extendsOurs, isOurs, symbolAt } from './symbols.js';
import { mayBeUndefined, type TypeReader } from './type-reader.js';

/** A command and its class; its endpoint is found later. */
export interface FoundCommand {
  readonly model: CommandModel;
  readonly declaration: ts.ClassDeclaration;
}

/** Every class with our decorator. */
export function findCommands(file: ts.SourceFile, reader: TypeReader): readonly FoundCommand[] {
  return classesOf(file).flatMap((declaration) => {
    const call = markOf(declaration, reader.checker);
    const model = call === undefined ? undefined : readCommand(declaration, call, reader);
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
  reader: TypeReader,
): FoundCommand['model'] | undefined {
  const at = declaration.name ?? declaration;
  const exported = exportedFrom(declaration, reader.tree);
  if (exported === undefined) {
    reader.error('SVC1006', at, 'a command must be an exported class with a name');
    return undefined;
  }
  if (!extendsOurs(declaration, 'Command', reader.checker)) {
    reader.error('SVC1024', at, `${exported.name} must extend Command`);
    return undefined;
  }
  const result = readTypeArguments(declaration, call, exported.name, reader);
  const options = readOptions(call, exported.name, reader);
  refuseConstructorParameters(declaration, exported.name, reader);
  const type = reader.checker.getTypeAtLocation(declaration);
  reader.readNamed(type, { node: at, identity: at, path: exported.name, name: exported.name });
  if (result === undefined || options === undefined) return undefined;
  const request = options.requestType === null ? null : readRequest(options.requestType, reader);
  return {
    ...exported,
    restRoute: options.restRoute,
    graphQLMutation: options.graphQLMutation,
    request,
    ...result,
    description: documentationOf(type.getSymbol(), reader.checker),
    endpoint: null,
    permission: options.permission,
    ...(options.agent === undefined ? {} : { agent: options.agent }),
  };
}

function readTypeArguments(
  declaration: ts.ClassDeclaration,
  call: ts.CallExpression,
  name: string,
  reader: TypeReader,
): Pick<CommandModel, 'result' | 'resultName'> | undefined {
  const [command, result] = call.typeArguments ?? [];
  if (command === undefined || result === undefined) {
    const why = `write @CommandEndpoint<${name}, TheResult>({ … }), with the command and its result as type arguments`;
    reader.error('SVC1001', call, why);
    return undefined;
  }
  const { checker } = reader;
  if (checker.getTypeAtLocation(command) !== checker.getTypeAtLocation(declaration)) {
    reader.error('SVC1004', command, `the first type argument must be ${name}, the decorated class`);
    return undefined;
  }
  const type = checker.getTypeAtLocation(result);
  const fallback = `${name}Result`;
  if ((type.flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined)) !== 0)
    return { result: null, resultName: fallback };
  if (mayBeUndefined(type))
    reader.error('SVC1015', result, `the result of ${name} may be undefined; use null, or void for none`);
  const model = reader.read(type, { node: result, identity: result, path: fallback, name: fallback });
  return { result: model, resultName: model.kind === 'ref' ? model.name : fallback };
}

/** The decoder creates the command with `new` and then sets its fields. */
function refuseConstructorParameters(declaration: ts.ClassDeclaration, name: string, reading: Reading): void {
  const parameters = declaration.members.find(ts.isConstructorDeclaration)?.parameters ?? [];
  if (
    parameters.some(
      (parameter) => parameter.questionToken === undefined && parameter.initializer === undefined,
    )
  ) {
    const why = `${name} must be constructible without arguments; use fields and ${name}.of({ … })`;
    reading.error('SVC1018', declaration.name ?? declaration, why);
  }
}

function readRequest(symbol: ts.Symbol, reader: TypeReader): Exported | null {
  const declaration = symbol.declarations?.find(ts.isClassDeclaration);
  const exported = declaration === undefined ? undefined : exportedFrom(declaration, reader.tree);
  if (declaration === undefined || exported === undefined) {
    const [at] = symbol.declarations ?? [];
    if (at !== undefined)
      reader.error('SVC1006', at, `the request type ${symbol.name} must be an exported class`);
    return null;
  }
  refuseConstructorParameters(declaration, exported.name, reader);
  const node = declaration.name ?? declaration;
  const site = { node, identity: node, path: exported.name, name: exported.name };
  reader.readNamed(reader.checker.getTypeAtLocation(declaration), site);
  return exported;
}
