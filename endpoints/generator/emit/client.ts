import { Memo } from '../model/memo.js';
import { calledTypes, trackedTypes } from '../model/reachable-types.js';
import { type CommandModel, hasEndpoint, type NamedType, type NamedTypes } from '../model/service-model.js';
import type { ServiceModel, TypeModel, WithTypes } from '../model/service-model.js';
import { namedText, type TypeNames, typeText } from '../model/type-text.js';
import { clientOwnRoutes } from './client-own-routes.js';
import { clientProcesses, type StartedReads, startedReads } from './client-processes.js';
import { clientReads } from './client-reads.js';
import { clientMethod, clientSupport } from './client-support.js';
import { banner } from './imports.js';
import { docComment } from './source-text.js';

const names: TypeNames = { scalars: 'plain', nameOf: ({ name }) => name };

/** A client that needs only `fetch`: its types are written out, so that it can be copied anywhere. */
export function emitClient(model: ServiceModel, memo: Memo = new Memo()): string {
  const types = calledTypes(model).map((type) =>
    memo.of('client type', type, [], model.types, (ask) => declaration(type, { types: trackedTypes(ask) })),
  );
  const methods = model.commands.filter(hasEndpoint).map((command) => {
    const { type, routes } = startedReads(command, model) ?? {};
    return memo.of('client method', command, [type, routes], model.types, (ask) =>
      method(command, { types: trackedTypes(ask) }, type && routes ? { type, routes } : undefined),
    );
  });
  const processes = clientProcesses(model);
  const routes = clientOwnRoutes(model, names);
  const reads = clientReads(model, names);
  return `${banner}${types.join('')}${clientSupport}${reads.support}${processes.support}${routes.support}
export class Client {
  readonly #call: Call;
${reads.members}${processes.members}
  constructor(options: ClientOptions) {
    this.#call = new Call(options);
${reads.assignments}${processes.assignments}  }
${[...methods, ...routes.methods].join('')}}
`;
}

const declaration = (named: NamedType, model: WithTypes): string =>
  `${docComment(named)}export type ${named.name} = ${namedText(named, model.types, names)};\n`;

function method(command: CommandModel, model: WithTypes, started: StartedReads | undefined): string {
  const input = command.request?.name ?? command.name;
  const result = command.result === null ? 'void' : typeText(command.result, model.types, names);
  const name = clientMethod(command);
  const sent = `${JSON.stringify(command.restRoute)}, ${argument(command)}`;
  const way =
    command.restRoute === null ? mutation(command, input, model) : `post<${result}>(${sent}, options)`;
  const returned = started === undefined ? `Promise<${result}>` : `Started<${result}, ${started.type}>`;
  const call =
    started === undefined ? `this.#call.${way}` : `start(this.#call, ${sent}, ${started.routes}, options)`;
  return `
${docComment(command, '  ')}  ${name === 'constructor' ? `['constructor']` : name}(${argument(command)}: ${input}, options?: CallOptions): ${returned} {
    return ${call};
  }
`;
}

const argument = (command: CommandModel): string => (command.request === null ? 'command' : 'request');

/** A command without a route is sent as its mutation. */
function mutation(command: CommandModel, input: string, model: WithTypes): string {
  const field = command.graphQLMutation ?? '';
  const name = argument(command);
  const selection = command.result === null ? '' : selectionOf(command.result, model.types);
  const query = `mutation($${name}: ${input}Input!) { ${field}(${name}: $${name})${selection} }`;
  const result = command.result === null ? 'void' : typeText(command.result, model.types, names);
  return `mutate<${result}>(${JSON.stringify(query)}, ${JSON.stringify(field)}, { ${name} }, options)`;
}

const maxDepth = 6;

/** Every field of a result as a GraphQL selection; recursive types are followed a few steps. */
function selectionOf(type: TypeModel, types: NamedTypes, depth = 0): string {
  if (type.kind === 'nullable') return selectionOf(type.inner, types, depth);
  if (type.kind === 'array') return selectionOf(type.item, types, depth);
  if (type.kind !== 'ref') return '';
  const named = types.get(type.name)?.type;
  if (named?.kind === 'union') {
    const parts = named.variants.map(
      ({ name }) => `... on ${name}${selectionOf({ kind: 'ref', name }, types, depth)}`,
    );
    return ` { __typename ${parts.join(' ')} }`;
  }
  if (named?.kind !== 'object') return '';
  const fields = named.properties
    .filter((property) => depth < maxDepth || !isObject(property.type, types))
    .map((property) => property.name + selectionOf(property.type, types, depth + 1));
  return ` { ${fields.length === 0 ? '__typename' : fields.join(' ')} }`;
}

function isObject(type: TypeModel, types: NamedTypes): boolean {
  if (type.kind === 'nullable') return isObject(type.inner, types);
  if (type.kind === 'array') return isObject(type.item, types);
  return type.kind === 'ref' && types.get(type.name)?.type.kind !== 'enum';
}
